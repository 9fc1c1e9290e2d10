/**
 * DAG runs as the daemon carries them: one engine for each run that is under way, all over one pool.
 *
 *   launch -> graph and records from the store -> engine -> record(batch) -> nodes -> … -> outcome recorded
 *
 * Recovery: process groups that an earlier daemon recorded are ended before any node is dispatched again. What was under
 * way goes on from its records; what waits for a person waits on.
 */
import type { DagId } from "../../contract/index.ts";
import {
  type DagNode,
  type DagOutcome,
  type DagRun,
  type DispatchContext,
  type NodeRecord,
  startDag,
} from "../dag/index.ts";
import type { DagHost, HostPorts, LaunchTerms } from "./dag-host-port.ts";
import { notLive } from "./dag-view.ts";
import { engineDag, foldChanges, specOf } from "./graph.ts";
import { createNodeHolds, type NodeHolds } from "./node-holds.ts";
import { timesOf } from "./node-times.ts";
import { changeStatus, recordBatch } from "./record-batch.ts";
import type { DagRecord } from "./store.ts";

type Live = {
  readonly run: DagRun;
  /** Attempts that have not settled. */
  readonly attempts: Set<Promise<unknown>>;
  readonly holds: NodeHolds | undefined;
  /** The batch that was given to the store last. */
  readonly written: { last: Promise<unknown> };
  /** Resolves when the run's outcome is recorded, or it was broken off. */
  readonly over: Promise<void>;
};

const relaunchMs = 5_000;

/** What ended attempts lead to may come in several batches: each is given to the store after the one before. */
async function allWritten({ written }: Live): Promise<void> {
  for (let seen: Promise<unknown> | undefined; seen !== written.last;) {
    seen = written.last;
    await seen;
    await new Promise((resolve) => void setImmediate(resolve)); // the engine's turn
  }
}

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
    const session = (await ports.sessionContext?.(record.session)) ?? {};
    const outputs = new Map<string, string>();
    const attempts = new Set<Promise<unknown>>();
    // One that had ended is under way again with the first that is recorded of it.
    let isRunning = retry.length === 0;
    const written: Live["written"] = { last: Promise.resolve() };
    const holds = holdsOf(record, paused);
    const run = startDag({
      id,
      dag: engineDag(graph, record.options),
      version: record.version,
      restored,
      took: timesOf(rows),
      session,
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
            await recordBatch(record, { entries, outputs, now: clock.now(), ids: ports.ids }, tx);
          });
          isRunning = true;
          written.last = batch.catch(() => {});
          return batch.then(() => holds?.follow(entries));
        },
      },
      dispatch(node, context) {
        const attempt = carryOut(record, node, context, outputs, holds);
        attempts.add(attempt);
        const forget = () => void attempts.delete(attempt);
        attempt.then(forget, forget);
        return attempt;
      },
    });
    const over = run.finished
      .then((ended) => finish(record, ended))
      .catch((error: unknown) => {
        log.error("dag.broke-off", { dag: id, error });
        clock.after(relaunchMs, () => void relaunch(id));
      })
      .finally(() => lives.delete(id))
      .then(() => holds?.close());
    lives.set(id, { run, attempts, holds, written, over });
    holds?.takeUp(restored, graph);
    return run;
  }

  function holdsOf({ id: dag, options: { tree } }: DagRecord, paused: boolean): NodeHolds | undefined {
    const { reservations } = ports;
    if (reservations === undefined) return undefined;
    const unblock = async (node: string): Promise<void> => lives.get(dag)?.run.unblock(node);
    return createNodeHolds({ dag, tree, paused }, { reservations, clock, log, unblock });
  }

  function carryOut(
    record: DagRecord,
    node: DagNode,
    context: DispatchContext,
    outputs: Map<string, string>,
    holds: NodeHolds | undefined,
  ) {
    const { id: dag, session, options } = record;
    return ports.carryOut({
      dag,
      session,
      node: node.id,
      spec: specOf(node),
      options,
      context,
      hold: (wanted) => holds!.hold(node.id, wanted),
      recorded: (run) => ports.processes.run(dag, run, (tx) => tx.dags.begin(dag, node.id, clock.now())),
      onOutput: (output) => void outputs.set(node.id, output),
    });
  }

  async function finish(record: DagRecord, { outcome, nodes }: DagOutcome): Promise<void> {
    const reason = [...nodes.values()].find((node) => node.state === "cancelled")?.reason;
    await store.transact(record.id, async (tx) => {
      // Its session may have recorded the end already.
      if ((await tx.dags.find(record.id))?.status !== outcome)
        await changeStatus(record, outcome, reason, tx, clock.now());
    });
  }

  /** The store failed, a full disk for instance: the run goes on from its records once it can be written again. */
  async function relaunch(id: DagId): Promise<void> {
    if (closed) return;
    try {
      await ports.processes.endLeftovers(id);
      if ((await store.reader.dags.find(id))?.status === "running") await launch(id);
    } catch {
      clock.after(relaunchMs, () => void relaunch(id)); // it was told when it broke off
    }
  }

  return {
    launch,
    live: (id) => lives.get(id)?.run,
    over: async (id) => lives.get(id)?.over,
    async recorded(id) {
      await lives.get(id)?.written.last;
    },
    async factsOf(id) {
      const life = lives.get(id);
      if (life === undefined) return notLive;
      return { etaMs: life.run.status().etaMs, causes: (await life.holds?.causes()) ?? notLive.causes };
    },
    pause(id, running) {
      lives.get(id)?.run.pause(running);
      lives.get(id)?.holds?.rest();
    },
    async unpause(id) {
      const run = await launch(id);
      run.unpause();
      lives.get(id)?.holds?.wake();
    },
    async settled(id) {
      const record = await store.reader.dags.find(id);
      if (record?.status === "cancelled") {
        (await launch(id, { paused: true })).cancel(record.reason);
        await lives.get(id)?.over;
        return;
      }
      const life = lives.get(id);
      if (life === undefined) return;
      await Promise.allSettled(life.attempts);
      await allWritten(life);
    },
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
      for (const { holds } of left) await holds?.close();
      await Promise.all(left.flatMap(({ attempts }) => [...attempts].map((attempt) => attempt.catch(() => {}))));
      await Promise.all(left.map(allWritten));
    },
  };
}
