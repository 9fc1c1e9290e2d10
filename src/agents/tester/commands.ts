/** Slash commands of the Tester. */
import type { SlashCommand } from "../skills/index.ts";
import { resultsOf, type TesterPorts } from "./skill-handlers.ts";

export function testerCommands({ check, run }: Pick<TesterPorts, "check" | "run">): readonly SlashCommand[] {
  return [
    {
      name: "test",
      agent: "tester",
      summary: "Run the project's tests; /test results shows those of the latest run",
      run: async ({ args: [path = ".", id], options: { verbose } }, { signal }) =>
        path === "results" ? resultsOf(await run(id)) : check("tests", { path, verbose: verbose === true, signal }),
    },
  ];
}
