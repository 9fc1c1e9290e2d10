/** Slash commands of the Librarian. */
import { type DomainError, invalidInput } from "../../contract/index.ts";
import type { SkillCall, SlashCommand } from "../skills/index.ts";
import { inLines, type KnownFiles, structureOf } from "../shared/known-files/index.ts";

/** In the asker's words. */
type Ask = (question: string, call: SkillCall) => Promise<unknown>;

export function librarianCommands(ask: Ask): readonly SlashCommand[] {
  const looking = (name: string, summary: string): SlashCommand => ({
    name,
    agent: "librarian",
    summary,
    async run({ args }, call) {
      const question = args.join(" ");
      if (question === "") throw missing(`/${name} needs what to look for: /${name} discount`);
      return ask(question, call);
    },
  });
  return [looking("find", "Find a symbol, file, or pattern in the codebase"), looking("search", "Search code content")];
}

/** What needs the files at hand; in a run only its Engineers have them. */
export function librarianFileCommands(files: KnownFiles): readonly SlashCommand[] {
  return [
    {
      name: "file",
      agent: "librarian",
      summary: "Show a file, or lines of it",
      async run({ args: [path, from, to] }) {
        if (path === undefined) throw missing("/file needs a path: /file src/cart.ts 1 20");
        return inLines(await files.read(path), { from: lineOf(from), to: lineOf(to) });
      },
    },
    {
      name: "structure",
      agent: "librarian",
      summary: "Show what is in a folder",
      run: async ({ args: [path = "."] }) => structureOf(path, await files.list()),
    },
  ];
}

function lineOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw missing(`${JSON.stringify(word)} is not a line number: /file src/cart.ts 1 20`);
}

function missing(message: string): DomainError {
  return invalidInput("args", message, { sentence: message });
}
