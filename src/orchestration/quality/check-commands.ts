/**
 * Commands of checks outside of runs.
 *
 *   a place in the pool -> its process recorded -> it runs -> taken off the record
 *
 * Whatever a daemon left running when it was killed is ended by the next one.
 */
import type { Pool } from "../../platform/pool/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { CommandPort, CommandRequest, CommandResult, ProcessIdentity } from "../executors/index.ts";
import type { CheckProcessRepository } from "./store.ts";

export type CheckCommands = {
  /** `group` is whose share of the pool it takes. */
  run(request: Omit<CommandRequest, "onStarted">, group: string): Promise<CommandResult>;
  endLeftovers(): Promise<void>;
};
type Ports = {
  readonly store: Store<{ readonly checkProcesses: CheckProcessRepository }>;
  readonly commands: CommandPort;
  readonly pool: Pick<Pool, "submit">;
};

const scope = "check-processes";

export function createCheckCommands({ store, commands, pool }: Ports): CheckCommands {
  const forget = (ended: readonly ProcessIdentity[]) =>
    store.transact(scope, async (tx) => {
      for (const process of ended) await tx.checkProcesses.remove(process);
    });
  return {
    run: (request, group) =>
      pool.submit({
        group,
        kind: "check",
        lane: "normal",
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        async run(signal) {
          let started: ProcessIdentity | undefined;
          try {
            return await commands.run({
              ...request,
              signal,
              onStarted(process) {
                started = process;
                return store.transact(scope, (tx) => tx.checkProcesses.add(process));
              },
            });
          } finally {
            if (started !== undefined) await forget([started]);
          }
        },
      }),
    async endLeftovers() {
      const left = await store.reader.checkProcesses.all();
      await Promise.all(left.map((process) => commands.endGroup(process)));
      if (left.length > 0) await forget(left);
    },
  };
}
