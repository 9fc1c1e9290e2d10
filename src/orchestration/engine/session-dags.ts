/**
 * Graphs that run in sessions: each node waits in the pool for its session's turn, and its time limit begins when it has one.
 *
 *   start -> records of an earlier life, if any -> dag engine -> node -> pool -> dispatch
 *                 `-- the journal is a part of the session: saved, suspended and taken up again with it
 */
import type { SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { type Lane, type Pool, TimeLimitPassed } from "../../platform/pool/index.ts";
import {
  type Dag,
  type DagNode,
  type DagRun,
  type Dispatch,
  NodeFailure,
  type NodeRecord,
  type NodeTransition,
  recordAfter,
  startDag,
} from "../dag/index.ts";
import type { SessionContext, SessionPart, SessionWork } from "../sessions/index.ts";

export type StartDag = {
  /** Names it in its session. */
  readonly id: string;
  readonly dag: Dag;
  readonly dispatch: Dispatch;
  readonly lane?: Lane;
  readonly onTransition?: (transition: NodeTransition) => void;
};
export type DagPart = SessionPart & {
  recordsOf(dag: string): Map<string, NodeRecord>;
};
type Ports = { readonly pool: Pool; readonly clock: Clock; readonly random: () => number };
type Live = { readonly session: SessionId; readonly run: DagRun; readonly stop: AbortController };

/** The most a graph may say. */
const neverMs = 7 * 24 * 3_600_000;

export function createSessionDags({ pool, clock, random }: Ports) {
  const live = new Map<string, Live>();
  let isClosing = false;

  function start(
    context: SessionContext<{ readonly dags: DagPart } & Record<string, SessionPart>>,
    terms: StartDag,
  ): DagRun {
    const { id, dag, dispatch, lane = "normal", onTransition } = terms;
    const key = `${context.id} ${id}`;
    if (isClosing) throw new Error("the engine is closed and starts no graph");
    if (live.has(key)) throw new Error(`${id} runs already in ${context.id}; give the graph another id`);
    const records = context.parts.dags.recordsOf(id);
    const stop = new AbortController();
    const progress = () => {
      const done = [...records.values()].filter(({ state }) => state === "succeeded").length;
      context.setWorkflow({ dag: id, phase: "execution", progress: { done, total: dag.nodes.length } });
    };
    const run = startDag({
      dag: withoutLimits(dag),
      restored: new Map(records),
      journal: {
        async record(entries) {
          if (isClosing) throw new Error("the engine was closed"); // what it did not record is done again
          for (const entry of entries)
            if (entry.kind === "transition") records.set(entry.transition.node, recordAfter(entry.transition));
          progress();
        },
      },
      dispatch: (node, given) =>
        pool
          .submit({
            group: context.id,
            kind: node.role,
            lane,
            signal: given.signal,
            timeLimitMs: limitOf(node.id, dag),
            run: (signal) => dispatch(node, { ...given, signal }),
          })
          .catch(asFailure),
      clock,
      random,
      signal: stop.signal,
      ...(onTransition === undefined ? {} : { onTransition }),
    });
    live.set(key, { session: context.id, run, stop });
    run.finished
      .then(({ outcome }) => {
        if (outcome === "succeeded") context.setWorkflow({ phase: "complete" });
      })
      .catch(() => {}) // told to whoever awaits it
      .finally(() => live.delete(key));
    return run;
  }

  const keysOf = (session: SessionId): readonly string[] =>
    [...live].filter(([, entry]) => entry.session === session).map(([key]) => key);

  const work: SessionWork<object> = {
    kind: "dags",
    busy: async () => [...live.values()].map(({ session }) => session),
    async hold(session, tx) {
      const keys = keysOf(session);
      tx.afterCommit(() => keys.forEach((key) => live.get(key)?.run.pause("abort")));
      return keys;
    },
    goOn: async (held, tx) => tx.afterCommit(() => held.forEach((key) => live.get(key)?.run.unpause())),
    async end(session, tx) {
      const keys = keysOf(session);
      tx.afterCommit(() => keys.forEach((key) => live.get(key)?.stop.abort()));
      return keys;
    },
    async stopped(keys) {
      const stopped = keys.map((key) => live.get(key)).filter((entry) => entry?.stop.signal.aborted);
      await Promise.allSettled(stopped.map((entry) => entry!.run.finished));
    },
  };

  return {
    start,
    work,
    part: dagPart,
    async close(): Promise<void> {
      isClosing = true;
      const running = [...live.values()];
      for (const { stop } of running) stop.abort();
      await Promise.allSettled(running.map(({ run }) => run.finished));
    },
  };
}

function dagPart(): DagPart {
  const dags = new Map<string, Map<string, NodeRecord>>();
  return {
    recordsOf(dag) {
      const known = dags.get(dag) ?? new Map<string, NodeRecord>();
      dags.set(dag, known);
      return known;
    },
    serialize: () => [...dags].map(([dag, records]) => [dag, [...records]]),
    restore(saved) {
      for (const [dag, records] of saved as [string, [string, NodeRecord][]][]) dags.set(dag, new Map(records));
    },
    close: () => dags.clear(),
  };
}

/** The pool measures them, from the moment a node has its slot. */
function withoutLimits({ nodes, policy }: Dag): Dag {
  return {
    nodes: nodes.map(({ timeoutMs: _inPool, ...node }): DagNode => node),
    policy: { ...policy, defaultTimeoutMs: neverMs },
  };
}

function limitOf(id: string, { nodes, policy }: Dag): number {
  return nodes.find((node) => node.id === id)?.timeoutMs ?? policy.defaultTimeoutMs;
}

function asFailure(error: unknown): never {
  if (error instanceof TimeLimitPassed) throw new NodeFailure({ class: "timeout", message: error.message });
  throw error;
}
