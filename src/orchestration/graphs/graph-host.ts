/**
 * The host of all graphs, including the graphs of runs. Each running graph has one engine; all engines share one pool.
 *
 *   launch -> graph and records from the store -> engine -> record(batch) -> nodes -> … -> outcome recorded
 *
 * Recovery: the daemon kills leftover process groups of the previous daemon before it dispatches any node again. A running
 * graph continues from its records. A graph that waits for a person keeps waiting.
 */
import type { GraphId } from "../../contract/index.ts";
import {
  type DagNode,
  type DagOutcome,
  type DagRun,
  type DispatchContext,
  type NodeRecord,
  startDag,
} from "../dag/index.ts";
import type { GraphCompanion, GraphHost, HostPorts, LaunchTerms } from "./graph-host-port.ts";
import { notLive } from "./dag-view.ts";
import { engineDag, foldChanges, specOf } from "./graph.ts";
import { createNodeHolds, type NodeHolds } from "./node-holds.ts";
import { timesOf } from "./node-times.ts";
import { changeStatus, dagEvents, type GraphFollower, type GraphTx, recordBatch } from "./record-batch.ts";
import { recordCutOff } from "./record-cut-off.ts";
import type { GraphRecord } from "./store.ts";

type Live = {
  readonly run: DagRun;
  /** Attempts that have not settled. */
  readonly attempts: Set<Promise<unknown>>;
  readonly holds: NodeHolds | undefined;
  companion: GraphCompanion | undefined;
  /** True when the engine has finished. */
  hasEnded: boolean;
  /** The write of the latest batch. */
  readonly written: { last: Promise<unknown> };
  /** Resolves when the outcome is recorded, or the engine broke off because of an error. */
  over: Promise<void>;
};

const relaunchMs = 5_000;

/** Waits until no further batch follows: the end of an attempt may cause several batches, one after the other. */
async function allWritten({ written }: Live): Promise<void> {
  for (let seen: Promise<unknown> | undefined; seen !== written.last;) {
    seen = written.last;
    await seen;
    await new Promise((resolve) => void setImmediate(resolve)); // the engine's turn
  }
}

export function createGraphHost<Tx extends GraphTx>(ports: HostPorts<Tx>): GraphHost<Tx> {
  const { store, clock, log } = ports;
  const followerOf = (id: GraphId): GraphFollower<Tx> => ports.followerOf?.(id) ?? dagEvents;
  const lives = new Map<GraphId, Live>();
  const launching = new Map<GraphId, Promise<DagRun>>();
  let closed = false;

  async function launch(id: GraphId, terms: LaunchTerms = {}): Promise<DagRun> {
    await ended(id);
    const known = lives.get(id)?.run ?? (await launching.get(id));
    if (known !== undefined) return known;
    if (closed) throw new Error("the daemon is stopping; the next one continues the graph");
    const started = start(id, terms).finally(() => launching.delete(id));
    launching.set(id, started);
    return started;
  }

  async function start(id: GraphId, { retry = [], paused = false }: LaunchTerms): Promise<DagRun> {
    const record = await store.reader.dags.find(id);
    if (record === undefined) throw new Error(`there is no graph ${id}`);
    const graph = foldChanges(await store.reader.dags.changesOf(id));
    const rows = await store.reader.dags.nodesOf(id);
    const restored = new Map<string, NodeRecord>(rows.map((row) => [row.node, row.record]));
    const session = (await ports.sessionContext?.(record.session)) ?? {};
    const outputs = new Map<string, string>();
    const attempts = new Set<Promise<unknown>>();
    // A graph that had ended counts as running again with its first new record.
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
            if (isTakenUp) await changeStatus(record, "running", undefined, tx, clock.now(), followerOf(id));
            const batch = { entries, outputs, now: clock.now(), ids: ports.ids };
            await recordBatch(record, batch, tx, followerOf(id));
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
    const life: Live = {
      run,
      attempts,
      holds,
      companion: undefined,
      written,
      hasEnded: false,
      over: Promise.resolve(),
    };
    life.over = run.finished
      .then((outcome) => {
        life.hasEnded = true;
        return finish(record, outcome);
      })
      .catch((error: unknown) => {
        log.error("dag.broke-off", { dag: id, error });
        clock.after(relaunchMs, () => void relaunch(id));
      })
      .then(() => closeBeside(life))
      .finally(() => lives.delete(id));
    lives.set(id, life);
    life.companion = ports.companionOf?.(record, run, restored);
    holds?.restore(restored, graph);
    return run;
  }

  /** A finished engine stays in `lives` until its end is recorded. */
  async function ended(id: GraphId): Promise<void> {
    const life = lives.get(id);
    if (life?.hasEnded === true) await life.over;
  }

  async function closeBeside({ holds, companion }: Live): Promise<void> {
    await Promise.all([holds?.close(), companion?.close()]);
  }

  function holdsOf({ id: dag, options: { tree } }: GraphRecord, paused: boolean): NodeHolds | undefined {
    const { reservations } = ports;
    if (reservations === undefined) return undefined;
    const unblock = async (node: string): Promise<void> => lives.get(dag)?.run.unblock(node);
    return createNodeHolds({ dag, tree, paused }, { reservations, clock, log, unblock });
  }

  function carryOut(
    record: GraphRecord,
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
      begin: (agent) => store.transact(dag, (tx) => tx.dags.begin(dag, node.id, clock.now(), agent)),
      recorded: (run) => ports.processes.run(dag, run, (tx) => tx.dags.begin(dag, node.id, clock.now())),
      onOutput: (output) => void outputs.set(node.id, output),
    });
  }

  async function finish(record: GraphRecord, { outcome, nodes }: DagOutcome): Promise<void> {
    const reason = [...nodes.values()].find((node) => node.state === "cancelled")?.reason;
    await store.transact(record.id, async (tx) => {
      // The session may already have recorded the end.
      if ((await tx.dags.find(record.id))?.status !== outcome)
        await changeStatus(record, outcome, reason, tx, clock.now(), followerOf(record.id));
    });
  }

  /** After a store failure, such as a full disk: continues the graph from its records once the store can be written again. */
  async function relaunch(id: GraphId): Promise<void> {
    if (closed) return;
    try {
      await ports.processes.endLeftovers(id);
      if ((await store.reader.dags.find(id))?.status === "running") await launch(id);
    } catch (error) {
      log.error("dag.relaunch-failed", { dag: id, error });
      clock.after(relaunchMs, () => void relaunch(id));
    }
  }

  return {
    launch,
    live: (id) => lives.get(id)?.run,
    over: async (id) => lives.get(id)?.over,
    ended,
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
      if (running === "abort") void lives.get(id)?.companion?.rest();
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
      await life.companion?.rest();
    },
    changeStatus: (graph, to, reason, tx) => changeStatus(graph, to, reason, tx, clock.now(), followerOf(graph.id)),
    async resumeAll({ autoResume }) {
      const interrupted = await store.reader.dags.withStatus("running");
      const resting = [...(await store.reader.dags.withStatus("paused")), ...(autoResume ? [] : interrupted)];
      await store.transact("recovery", async (tx) => {
        const at = { now: clock.now(), ids: ports.ids };
        for (const dag of resting) {
          const follower = followerOf(dag.id);
          const reason = `the daemon stopped; continue with "${resumeCommand(dag.id)}"`;
          if (dag.status === "running") await changeStatus(dag, "paused", reason, tx, at.now, follower);
          await recordCutOff(dag, tx, at, follower);
        }
      });
      if (!autoResume) return;
      for (const { id } of interrupted)
        await launch(id).catch((error: unknown) => void log.error("dag.launch-failed", { dag: id, error }));
    },
    async close() {
      closed = true;
      const left = [...lives.values()];
      for (const { run } of left) run.pause("abort");
      for (const { holds } of left) await holds?.close();
      await Promise.all(left.map(async ({ companion }) => companion?.rest()));
      await Promise.all(left.flatMap(({ attempts }) => [...attempts].map((attempt) => attempt.catch(() => {}))));
      await Promise.all(left.map(allWritten));
    },
  };
}

/** The command that resumes a paused graph. */
export function resumeCommand(id: GraphId): string {
  return id.startsWith("run_") ? `sylk resume ${id}` : `sylk dag resume ${id}`;
}
