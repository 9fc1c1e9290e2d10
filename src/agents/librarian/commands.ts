/** Slash commands of the Librarian that its search can answer. */
import { DomainError } from "../../contract/index.ts";
import type { SkillCall, SlashCommand } from "../every-agent/index.ts";

/** Through the Guide, in the words of whoever asks. */
type Ask = (question: string, call: SkillCall) => Promise<unknown>;

export function librarianCommands(ask: Ask): readonly SlashCommand[] {
  const looking = (name: string, summary: string): SlashCommand => ({
    name,
    agent: "librarian",
    summary,
    async run({ args }, call) {
      const question = args.join(" ");
      if (question === "")
        throw new DomainError("input.invalid", `/${name} needs what to look for: /${name} discount`, {
          details: { problems: [{ path: "args", message: "missing" }] },
        });
      return ask(question, call);
    },
  });
  return [looking("find", "Find a symbol, file, or pattern in the codebase"), looking("search", "Search code content")];
}
