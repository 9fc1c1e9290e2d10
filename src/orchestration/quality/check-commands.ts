/**
 * Commands of checks outside of runs.
 *
 *   a place in the pool -> for an agent: under the holds of others -> its process recorded -> it runs -> forgotten
 */
import type { AgentId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { CommandPort, CommandRequest, CommandResult, ProcessRecorder, WrapCommand } from "../executors/index.ts";

export type CheckCommands = {
  run(request: Omit<CommandRequest, "onStarted">, terms: CheckTerms): Promise<CommandResult>;
};
type CheckTerms = {
  /** The session whose share of the pool it takes. */
  readonly group: string;
  /** The agent that asked for the check. */
  readonly agent?: AgentId | undefined;
};
type Ports = {
  readonly processes: Pick<ProcessRecorder, "run">;
  readonly commands: CommandPort;
  readonly pool: Pick<Pool, "submit">;
  readonly wrap: WrapCommand;
};

export function createCheckCommands({ processes, commands, pool, wrap }: Ports): CheckCommands {
  const runRecorded = (request: CommandRequest): Promise<CommandResult> =>
    processes.run("checks", (onStarted) => commands.run({ ...request, onStarted }));
  async function runFor(agent: AgentId, request: CommandRequest): Promise<CommandResult> {
    const { argv, explain } = await wrap(request, agent);
    const result = await runRecorded({ ...request, argv });
    const held = result.exitCode === 0 ? undefined : await explain(result.output);
    return held === undefined ? result : { ...result, output: `${result.output.trimEnd()}\n${held}\n` };
  }
  return {
    run: (request, { group, agent }) =>
      pool.submit({
        group,
        kind: "check",
        lane: "normal",
        ...defined({ signal: request.signal }),
        run: (signal) =>
          agent === undefined ? runRecorded({ ...request, signal }) : runFor(agent, { ...request, signal }),
      }),
  };
}
