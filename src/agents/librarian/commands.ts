/** Slash commands of the Librarian. */
import { type CodeAbout, type DomainError, invalidInput } from "../../contract/index.ts";
import type { SkillCall, SlashCommand } from "../skills/index.ts";
import type { RemoteScan } from "../../knowledge/remote-scan/index.ts";
import { type LibrarianPorts, toolingOf, type ToolLook } from "../shared/code-look/index.ts";
import { inLines, insideTree, type KnownFiles, structureOf } from "../shared/known-files/index.ts";

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

/** What the index and the network answer. */
export function librarianCodeCommands({ look, scanRemote }: Pick<LibrarianPorts, "look" | "scanRemote">) {
  const about = (name: string, summary: string, example: string, run: AboutOne): SlashCommand => ({
    name,
    agent: "librarian",
    summary,
    async run({ args: [thing], options }, { signal }) {
      if (thing === undefined) throw missing(`/${name} needs one word: /${name} ${example}`);
      return run(thing, options, signal);
    },
  });
  return [
    about("imports", "List the files that import a package, a module or a file", "node:fs", async (module) => {
      const data = await look("code.dependents", { module, limit: mostListed });
      const lines = data.items.map(({ path, line, module: written }) => `${path}:${line}  ${written}`);
      return { text: linesOr(lines, data.about), data };
    }),
    about("usages", "List where a symbol is defined and used", "priceOf", async (symbol) => {
      const data = await look("code.usages", { symbol, limit: mostListed });
      const defined = data.definitions.map(({ path, line, signature }) => `${path}:${line}  ${signature}`);
      const used = data.items.map(({ path, line, text }) => `${path}:${line}  ${text.trim()}`);
      return { text: linesOr([...defined, ...used], data.about), data };
    }),
    about(
      "scan",
      "Clone a repository of an allowed host and describe it",
      "https://github.com/owner/name",
      async (url, { auth, full }, signal) => {
        const handle = typeof auth === "string" ? { auth_token: `env:${auth.replace(/^env:/, "")}` } : {};
        const data = await scanRemote({ url, shallow: full !== true, ...handle }, signal);
        return { text: scanText(data), data };
      },
    ),
  ];
}

type AboutOne = (thing: string, options: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<unknown>;

const mostListed = 50;

/** None found is one thing, not looked at is another. */
function linesOr(lines: readonly string[], { files, notIndexed: { waiting } }: CodeAbout): string {
  if (lines.length > 0) return lines.join("\n");
  return waiting > 0 ? `Nothing found yet: ${waiting} files are still to be read` : `Nothing found in ${files} files`;
}

function scanText({ url, commit, fileCount, languages, tools, tree, map }: RemoteScan): string {
  const spoken = languages.map(({ name, files }) => `${name} (${files})`).join(", ");
  return [
    `${url} at ${commit?.slice(0, 8) ?? "no commit"}: ${fileCount} files`,
    `languages: ${spoken || "none known"}`,
    `tools: ${tools.join(", ") || "none found"}`,
    `clone: ${tree}`,
    "",
    map,
  ].join("\n");
}

export function toolCommands({ toolsIn }: Pick<ToolLook, "toolsIn">): readonly SlashCommand[] {
  return [
    {
      name: "tooling",
      agent: "librarian",
      summary: "Show the tools of a project and their commands",
      run: async ({ args: [folder = "."] }) => toolingOf(await toolsIn({ path: insideTree(folder) })),
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
