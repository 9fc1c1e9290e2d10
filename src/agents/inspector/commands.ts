/** Slash commands of the Inspector. */
import type { Run } from "../../contract/index.ts";
import type { CheckHere } from "../shared/checks/index.ts";
import type { SlashCommand } from "../skills/index.ts";
import { issuesOf } from "./skill-handlers.ts";

/** What a run can answer. */
export function inspectorCommands({ runNow }: { readonly runNow: () => Promise<Run> }): readonly SlashCommand[] {
  return [
    {
      name: "issues",
      agent: "inspector",
      summary: "List current issues",
      run: async () => issuesOf(await runNow()),
    },
  ];
}

/** What needs a tree that no run works in. */
export function inspectorCheckCommands({ check }: { readonly check: CheckHere }): readonly SlashCommand[] {
  return [
    {
      name: "lint",
      agent: "inspector",
      summary: "Run the project's linter or type checker",
      run: ({ args: [path = "."], options: { verbose } }, { signal }) =>
        check("inspection", { path, verbose: verbose === true, signal }),
    },
  ];
}
