/** Slash commands of the Inspector that a run can answer. */
import type { Run } from "../../contract/index.ts";
import type { SlashCommand } from "../every-agent/index.ts";

export function inspectorCommands({ runNow }: { readonly runNow: () => Promise<Run> }): readonly SlashCommand[] {
  return [
    {
      name: "issues",
      agent: "inspector",
      summary: "List current issues",
      run: async () => ({ issues: (await runNow()).findings }),
    },
  ];
}
