/**
 * Random graphs, outcomes, latencies and policies on a manual clock, and a model without time. In the model a node's end
 * follows from its parents' ends and its dispatcher; the end of a final node follows from its dispatcher alone.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { manualClock, type ManualClock } from "../../../platform/clock/index.ts";
import type { Dispatch } from "../attempts.ts";
import {
  type Dag,
  type DagNode,
  type DagOutcome,
  isTerminal,
  type NodeRecord,
  type NodeState,
  type NodeTransition,
} from "../dag.ts";
import type { Journal } from "../dag-run.ts";
import { NodeFailure } from "../node-outcomes.ts";
import { startDag } from "../run-dag.ts";
import { acyclicNodes, chosenFinals, foldLog, policy, settle, transitionsOf, withFinals } from "../testkit.ts";

export const graceMs = 3;
const timeoutMs = 12;

/** What the dispatcher does on the first, second and third counted attempt. */
const acts = ["succeed", "transient", "rate-limit", "permanent", "throw", "hang", "hang-deaf"] as const;
type Act = { readonly does: (typeof acts)[number]; readonly afterMs: number };
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant("succeed" as const) },
    { weight: 4, arbitrary: fc.constantFrom(...acts) },
  ),
  afterMs: fc.nat(5),
});

export type World = {
  readonly dag: Dag;
  readonly script: ReadonlyMap<string, readonly Act[]>;
  readonly journalMs: number;
  readonly random: number;
};

export function worlds(failFast: fc.Arbitrary<boolean>, most = 9): fc.Arbitrary<World> {
  return fc
    .record({
      nodes: fc.tuple(acyclicNodes(most), chosenFinals(most)).map(([nodes, chosen]) => withFinals(nodes, chosen)),
      acts: fc.array(fc.tuple(act, act, act), { minLength: most, maxLength: most }),
      max: fc.nat(2),
      backoffMs: fc.nat(4),
      maxConcurrency: fc.integer({ min: 1, max: 4 }),
      failFast,
      mode: fc.constantFrom("eager" as const, "layered" as const),
      journalMs: fc.constantFrom(0, 0, 1, 2),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    })
    .map(({ nodes, acts, max, backoffMs, maxConcurrency, failFast, mode, journalMs, random }) => ({
      dag: {
        nodes,
        policy: {
          ...policy,
          maxConcurrency,
          failFast,
          mode,
          defaultRetry: { max, backoffMs },
          defaultTimeoutMs: timeoutMs,
        },
      },
      script: new Map(nodes.map(({ id }, index) => [id, acts[index] ?? []])),
      journalMs,
      random,
    }));
}

type End = { readonly state: NodeState; readonly retries: number };

export const ordinaryOf = ({ dag }: World): ReadonlySet<string> =>
  new Set(dag.nodes.filter(({ final }) => !final).map(({ id }) => id));

/** The end of every node of a run that is not cancelled and that continues after failures. */
export function predict({ dag, script }: World): Map<string, End> {
  const ends = new Map<string, End>();
  const byId = new Map(dag.nodes.map((node) => [node.id, node]));
  const endOf = (node: DagNode): End => {
    const known = ends.get(node.id);
    if (known) return known;
    const parents = node.dependsOn.map((id) => endOf(byId.get(id) as DagNode));
    const end =
      node.final || parents.every(({ state }) => state === "succeeded")
        ? endOfActs(script.get(node.id) ?? [], dag.policy.defaultRetry.max)
        : ({ state: "skipped", retries: 0 } as const);
    ends.set(node.id, end);
    return end;
  };
  dag.nodes.forEach(endOf);
  return ends;
}

function endOfActs(acts: readonly Act[], max: number): End {
  for (const [retries, { does }] of acts.entries()) {
    if (does === "succeed") return { state: "succeeded", retries };
    const repeated = does === "transient" || does === "rate-limit" || does === "hang";
    if (!repeated || retries === max) return { state: "failed", retries };
  }
  throw new Error("the script is longer than any limit of retries");
}

/** A dispatcher that plays the script and collects violations. It cannot throw them: that would look like a failing node. */
function stage(world: World, clock: ManualClock, log: readonly NodeTransition[]) {
  const { script } = world;
  const ordinary = ordinaryOf(world);
  const live = new Map<string, number>();
  const violations: unknown[] = [];
  let most = 0;
  const checkStart = (node: DagNode, attempt: number, parents: ReadonlyMap<string, unknown>) => {
    const records = foldLog(log);
    expect(records.get(node.id)).toMatchObject({ state: "running", attempt }); // recorded before it began
    const above = node.final ? [...ordinary, ...node.dependsOn] : node.dependsOn;
    const stateOf = (id: string) => records.get(id)?.state ?? "pending";
    expect(above.filter((id) => (node.final ? !isTerminal(stateOf(id)) : stateOf(id) !== "succeeded"))).toEqual([]);
    const succeeded = node.dependsOn.filter((id) => stateOf(id) === "succeeded");
    expect(parents).toEqual(new Map(succeeded.map((parent) => [parent, `result of ${parent}`])));
    expect(live.has(node.id)).toBe(false); // never two attempts side by side
  };
  const dispatch: Dispatch = async (node, { attempt, parents, signal }) => {
    try {
      checkStart(node, attempt, parents);
    } catch (violation) {
      violations.push(violation);
    }
    live.set(node.id, attempt);
    most = Math.max(most, live.size);
    try {
      return await play(node.id, script.get(node.id)?.[foldLog(log).get(node.id)?.retries ?? 0], signal);
    } finally {
      if (live.get(node.id) === attempt) live.delete(node.id);
    }
  };
  const play = (id: string, act: Act | undefined, signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      const { does, afterMs } = act ?? { does: "throw", afterMs: 0 };
      if (does === "throw") throw new Error("defect of a dispatcher");
      if (does === "hang-deaf") return;
      signal.addEventListener("abort", () => reject(new Error("stopped as told")));
      if (does === "hang") return;
      clock.after(afterMs, () => {
        if (does === "succeed") resolve(`result of ${id}`);
        else
          reject(
            new NodeFailure({ class: does, message: does, ...(does === "rate-limit" ? { retryAfterMs: 4 } : {}) }),
          );
      });
    });
  /** An abandoned attempt no longer counts as live. */
  const forget = ({ node, from }: NodeTransition) => {
    if (from === "running") live.delete(node);
  };
  return { dispatch, forget, violations, mostLive: () => most };
}

type Life = {
  readonly restored?: ReadonlyMap<string, NodeRecord>;
  readonly log?: NodeTransition[];
  /** The engine is dropped (or its journal fails) once this many transitions are recorded in this life. */
  readonly dieAfter?: number;
  readonly death?: "dropped" | "journal fails";
  readonly cancelAtMs?: number;
  readonly onTick?: (clock: ManualClock, log: readonly NodeTransition[]) => void;
};

export async function live(world: World, { log = [], dieAfter = Number.POSITIVE_INFINITY, ...life }: Life = {}) {
  const clock = manualClock();
  const controller = new AbortController();
  const heard: NodeTransition[] = [];
  let left = dieAfter;
  let ended: { readonly outcome?: DagOutcome; readonly error?: unknown } | undefined;
  const journal: Journal = {
    async record(batch) {
      if (left <= 0) violations.push(new Error("it continued after its journal failed"));
      if (world.journalMs > 0) await new Promise<void>((resolve) => void clock.after(world.journalMs, resolve));
      for (const transition of transitionsOf(batch.slice(0, left))) log.push(transition);
      left -= Math.min(left, batch.length);
      if (left > 0) return;
      if (life.death === "journal fails") throw new Error("journal failed");
      ended = {};
      await new Promise<never>(() => {});
    },
  };
  const { dispatch, forget, violations, mostLive } = stage(world, clock, log);
  const { restored } = life;
  const run = startDag({
    dag: world.dag,
    journal,
    dispatch,
    clock,
    random: () => world.random,
    signal: controller.signal,
    ...(restored ? { restored } : {}),
    abortGraceMs: graceMs,
  });
  run.subscribe(({ dag: _dag, ...transition }) => {
    heard.push(transition);
    forget(transition);
  });
  run.finished.then(
    (outcome) => (ended = { outcome }),
    (error: unknown) => (ended = { error }),
  );
  let ticks = 0;
  for (await settle(); !ended && ticks < 2_000; ticks++) {
    if (ticks === life.cancelAtMs) controller.abort();
    life.onTick?.(clock, log);
    clock.advance(1);
    await settle();
  }
  expect(violations).toEqual([]);
  return { ...ended, log, heard, ticks, clock, mostLive: mostLive() };
}

export function expectLegalPaths({ dag }: World, log: readonly NodeTransition[]): void {
  const states = new Map<string, NodeState>(dag.nodes.map(({ id }) => [id, "pending"]));
  const attempts = new Map<string, number>();
  for (const { node, from, to, attempt } of log) {
    expect(states.get(node)).toBe(from);
    expect(to).not.toBe(from);
    expect(isTerminal(from)).toBe(false);
    states.set(node, to);
    expect(attempt).toBe((attempts.get(node) ?? 0) + (to === "running" ? 1 : 0));
    attempts.set(node, attempt);
  }
}

export const endsOf = (nodes: ReadonlyMap<string, NodeRecord>) =>
  Object.fromEntries([...nodes].map(([id, { state, retries }]) => [id, { state, retries }]));
