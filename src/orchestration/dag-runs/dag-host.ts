/**
 * DAG runs as the daemon carries them: one engine for each run that is under way, all over one pool.
 *
 *   launch -> graph and records from the store -> engine -> record(batch) -> nodes -> … -> outcome recorded
 *
 * Recovery: process groups that an earlier daemon recorded are ended before any node is dispatched again. What was under
 * way goes on from its records; what waits for a person waits on.
 */
import type { DagId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import {
  type DagNode,
  type DagRun,
  type DispatchContext,
  type JournalEntry,
  type NodeRecord,
  startDag,
} from "../dag/index.ts";
import type { CommandPort, ProcessIdentity } from "../dispatch/index.ts";
import type { Attempt } from "./carry-out-node.ts";
import type { Eta } from "./dag-view.ts";
import { engineDag, foldChanges, specOf } from "./graph.ts";
import { changeStatus, type DagTx, recordBatch } from "./record-batch.ts";
import type { DagRecord, StoredStatus } from "./store.ts";

export type DagHost = {
  /** Starts the run or goes on with it. Resolves when its engine runs. */
  launch(id: DagId, terms?: LaunchTerms): Promise<DagRun>;
  /** The engine of a run that is under way. */
  live(id: DagId): DagRun | undefined;
  /** Resolves when the run has ended and its outcome is recorded; at once when it is not under way. */
  over(id: DagId): Promise<void>;
  /** Resolves when what was given to the store last is recorded. */
  recorded(id: DagId): Promise<void>;
  etaOf(id: DagId): Eta;
  /** Resolves when nothing of the run is at work; each node of a run that was cancelled is then recorded as such. */
  settled(id: DagId): Promise<void>;
  /** Before a new daemon takes requests: ends whatever processes its predecessor left running. */
  endLeftovers(): Promise<void>;
  /** Goes on with what was under way, or leaves it paused. */
  goOn(options: { readonly autoResume: boolean }): Promise<void>;
  /** Stops what runs; it is done again by the next daemon. */
  close(): Promise<void>;
};

export type LaunchTerms = {
  /** Takes up a run that had ended, with these nodes. */
  readonly retry?: readonly string[];
  /** Starts nothing before it is unpaused. */
  readonly paused?: boolean;
};

export type HostPorts = {
  readonly store: Store<DagTx>;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly random: () => number;
  /** Does what a node is there for; it waits for its place by itself. */
  readonly carryOut: (attempt: Attempt) => Promise<unknown>;
  readonly endGroup: CommandPort["endGroup"];
  /** Told after each record how far a run is. */
  readonly onProgress?: (dag: DagRecord, progress: Progress) => void;
};

export type Progress = { readonly done: number; readonly total: number; readonly isOver: boolean };

type Live = {
  readonly run: DagRun;
  /** Attempts that have not settled. */
  readonly attempts: Set<Promise<unknown>>;
  /** The batch that was given to the store last. */
  readonly written: { last: Promise<unknown> };
  /** Resolves when the run's outcome is recorded, or it was broken off. */
  readonly over: Promise<void>;
};

export function createDagHost(ports: HostPorts): DagHost {
  const { store, clock, log } = ports;
  const lives = new Map<DagId, Live>();
  const launching = new Map<DagId, Promise<DagRun>>();
  let closed = false;

  async function launch(id: DagId, terms: LaunchTerms = {}): Promise<DagRun> {
    const known = lives.get(id)?.run ?? (await launching.get(id));
    if (known !== undefined) return known;
    if (closed) throw new Error("the daemon is stopping; the run goes on with the next one");
    const started = start(id, terms).finally(() => launching.delete(id));
    launching.set(id, started);
    return started;
  }

  async function start(id: DagId, { retry = [], paused = false }: LaunchTerms): Promise<DagRun> {
    const record = await store.reader.dags.find(id);
    if (record === undefined) throw new Error(`there is no DAG run ${id}`);
    const graph = foldChanges(await store.reader.dags.changesOf(id));
    const rows = await store.reader.dags.nodesOf(id);
    const restored = new Map<string, NodeRecord>(rows.map((row) => [row.node, row.record]));
    const outputs = new Map<string, string>();
    const attempts = new Set<Promise<unknown>>();
    // One that had ended is under way again with the first that is recorded of it.
    let isRunning = retry.length === 0;
    const written: Live["written"] = { last: Promise.resolve() };
    const progress = {
      done: rows.filter(({ record: { state } }) => state === "succeeded").length,
      total: graph.size,
    };
    const run = startDag({
      id,
      dag: engineDag(graph, record.options),
      version: record.version,
      restored,
      paused,
      ...(retry.length === 0 ? {} : { retry }),
      clock,
      random: ports.random,
      signal: new AbortController().signal,
      journal: {
        record(entries) {
          const isTakenUp = !isRunning;
          const batch = store.transact(id, async (tx) => {
            if (isTakenUp) await changeStatus(record, "running", undefined, tx, clock.now());
            await recordBatch(record, { entries, outputs, now: clock.now() }, tx);
          });
          isRunning = true;
          written.last = batch.catch(() => {});
          return batch.then(() => {
            count(progress, entries);
            ports.onProgress?.(record, { ...progress, isOver: false });
          });
        },
      },
      dispatch(node, context) {
        const attempt = carryOut(record, node, context, outputs);
        attempts.add(attempt);
        const forget = () => void attempts.delete(attempt);
        attempt.then(forget, forget);
        return attempt;
      },
    });
    const over = run.finished
      .then(({ outcome }) => finish(record, outcome))
      .then(() => ports.onProgress?.(record, { ...progress, isOver: true }))
      .catch((error: unknown) => void log.error("dag.broke-off", { dag: id, error }))
      .finally(() => lives.delete(id));
    lives.set(id, { run, attempts, written, over });
    return run;
  }

  function carryOut(record: DagRecord, node: DagNode, context: DispatchContext, outputs: Map<string, string>) {
    const { id: dag, session, options } = record;
    return ports.carryOut({
      dag,
      session,
      node: node.id,
      spec: specOf(node),
      options,
      context,
      onStarted: (process) => store.transact(dag, (tx) => tx.dags.addProcess(dag, node.id, process, clock.now())),
      onEnded: (process) => store.transact(dag, (tx) => tx.dags.removeProcess(process)),
      onOutput: (output) => void outputs.set(node.id, output),
    });
  }

  async function finish(record: DagRecord, outcome: Extract<StoredStatus, "succeeded" | "failed" | "cancelled">) {
    await store.transact(record.id, async (tx) => {
      // Its session may have recorded the end already.
      if ((await tx.dags.find(record.id))?.status !== outcome)
        await changeStatus(record, outcome, undefined, tx, clock.now());
    });
  }

  async function endAll(left: readonly ProcessIdentity[]): Promise<void> {
    await Promise.all(left.map((process) => ports.endGroup(process)));
    if (left.length === 0) return;
    await store.transact("processes", async (tx) => {
      for (const process of left) await tx.dags.removeProcess(process);
    });
  }

  return {
    launch,
    live: (id) => lives.get(id)?.run,
    over: async (id) => lives.get(id)?.over,
    async recorded(id) {
      await lives.get(id)?.written.last;
    },
    etaOf: (id) => lives.get(id)?.run.status().etaMs ?? "unknown",
    async settled(id) {
      const record = await store.reader.dags.find(id);
      if (record?.status === "cancelled") {
        (await launch(id, { paused: true })).cancel(record.reason);
        await lives.get(id)?.over;
        return;
      }
      const { attempts, written } = lives.get(id) ?? {};
      await Promise.allSettled(attempts ?? []);
      await written?.last;
    },
    endLeftovers: async () => endAll(await store.reader.dags.processes()),
    async goOn({ autoResume }) {
      const interrupted = await store.reader.dags.withStatus("running");
      if (autoResume) {
        for (const { id } of interrupted)
          await launch(id).catch((error: unknown) => void log.error("dag.launch-failed", { dag: id, error }));
        return;
      }
      await store.transact("recovery", async (tx) => {
        for (const dag of interrupted)
          await changeStatus(
            dag,
            "paused",
            `the daemon ended; go on with "sylk dag resume ${dag.id}"`,
            tx,
            clock.now(),
          );
      });
    },
    async close() {
      closed = true;
      const left = [...lives.values()];
      for (const { run } of left) run.pause("abort");
      await Promise.all(left.flatMap(({ attempts }) => [...attempts].map((attempt) => attempt.catch(() => {}))));
      await Promise.all(left.map(({ written }) => written.last));
    },
  };
}

/** By what changed, since a graph may be large and a batch is small. */
function count(progress: { done: number; total: number }, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    if (entry.kind === "transition") progress.done += entry.transition.to === "succeeded" ? 1 : 0;
    else progress.total += (entry.adjustment.add?.length ?? 0) - (entry.adjustment.remove?.length ?? 0);
  }
}
