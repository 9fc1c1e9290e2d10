/** Slash commands of the Architect that a run can answer. */
import type { Run } from "../../contract/index.ts";
import type { SlashCommand } from "../skills/index.ts";

export function architectCommands({ runNow }: { readonly runNow: () => Promise<Run> }): readonly SlashCommand[] {
  return [
    {
      name: "status",
      agent: "architect",
      summary: "Get current execution status",
      async run() {
        const { status, reason, nodes } = await runNow();
        return {
          status,
          reason,
          nodes: nodes.map(({ title, round, state, error }) => ({ title, round, state, error })),
        };
      },
    },
  ];
}
