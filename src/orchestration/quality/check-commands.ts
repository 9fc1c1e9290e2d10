/**
 * Commands of checks outside of runs.
 *
 *   a place in the pool -> its process recorded -> it runs -> forgotten
 */
import { defined } from "../../platform/defined.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { CommandPort, CommandRequest, CommandResult, ProcessRecorder } from "../executors/index.ts";

export type CheckCommands = {
  /** `group` is the session whose share of the pool it takes. */
  run(request: Omit<CommandRequest, "onStarted">, group: string): Promise<CommandResult>;
};
type Ports = {
  readonly processes: Pick<ProcessRecorder, "run">;
  readonly commands: CommandPort;
  readonly pool: Pick<Pool, "submit">;
};

export function createCheckCommands({ processes, commands, pool }: Ports): CheckCommands {
  return {
    run: (request, group) =>
      pool.submit({
        group,
        kind: "check",
        lane: "normal",
        ...defined({ signal: request.signal }),
        run: (signal) => processes.run("checks", (onStarted) => commands.run({ ...request, signal, onStarted })),
      }),
  };
}
