/**
 * Processes on record: the one way in which Sylk starts a process whose end it must be sure of.
 *
 *   start -> recorded -> the process begins -> it ends -> forgotten          after a crash: endLeftovers
 *
 * Invariant: a process does nothing before it is recorded, so the next daemon knows every process that may still write.
 */
import type { Log } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { CommandPort, ProcessIdentity } from "./command-port.ts";
import type { ProcessRepository } from "./process-store.ts";

export type ProcessTx = { readonly processes: ProcessRepository };

export type ProcessRecorder<Tx extends ProcessTx = ProcessTx> = {
  /** Records what `run` starts, before it begins, and forgets it after its end. `beside` is written with the record. */
  run<T>(
    owner: string,
    run: (onStarted: (process: ProcessIdentity) => Promise<void>) => Promise<T>,
    beside?: (tx: Tx) => Promise<void>,
  ): Promise<T>;
  record(owner: string, process: ProcessIdentity): Promise<void>;
  forget(process: ProcessIdentity): Promise<void>;
  /** Ends what is on record, of one owner or of all; resolves when it is gone and forgotten. */
  endLeftovers(owner?: string): Promise<void>;
};

type Ports<Tx> = {
  readonly store: Store<Tx>;
  readonly endGroup: CommandPort["endGroup"];
  readonly log: Pick<Log, "error">;
};

export function createProcessRecorder<Tx extends ProcessTx>({ store, endGroup, log }: Ports<Tx>): ProcessRecorder<Tx> {
  const record = (owner: string, process: ProcessIdentity, beside?: (tx: Tx) => Promise<void>) =>
    store.transact(owner, async (tx) => {
      await tx.processes.add({ ...process, owner });
      await beside?.(tx);
    });
  const forget = (process: ProcessIdentity) => store.transact("processes", (tx) => tx.processes.remove(process));
  return {
    record: (owner, process) => record(owner, process),
    forget,
    async run(owner, run, beside) {
      let started: ProcessIdentity | undefined;
      try {
        return await run((process) => {
          started = process;
          return record(owner, process, beside);
        });
      } finally {
        // What got done stays done: a row that cannot be removed now is removed by the next daemon.
        if (started !== undefined)
          await forget(started).catch((error: unknown) => void log.error("process.left", { owner, error }));
      }
    },
    async endLeftovers(owner) {
      const left = await store.reader.processes.list(owner);
      await Promise.all(left.map((process) => endGroup(process)));
      if (left.length === 0) return;
      await store.transact("processes", async (tx) => {
        for (const process of left) await tx.processes.remove(process);
      });
    },
  };
}
