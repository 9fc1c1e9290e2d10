/**
 * Random graphs, outcomes, latencies and policies on a clock moved by hand, against a model that knows no time:
 * a node's end follows from its parents' ends and from what its dispatcher does.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock, type ManualClock } from "../../platform/clock/index.ts";
import type { Dispatch } from "./attempts.ts";
import {
  type Dag,
  type DagNode,
  type DagOutcome,
  isTerminal,
  type NodeRecord,
  type NodeState,
  type NodeTransition,
} from "./dag.ts";
import type { Journal } from "./dag-run.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { startDag } from "./run-dag.ts";
import { acyclicNodes, foldLog, policy, settle, transitionsOf } from "./testkit.ts";

const graceMs = 3;
const timeoutMs = 12;

/** What the dispatcher does on the first, second, third try that counts. */
const acts = ["succeed", "transient", "rate-limit", "permanent", "throw", "hang", "hang-deaf"] as const;
type Act = { readonly does: (typeof acts)[number]; readonly afterMs: number };
const act: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant("succeed" as const) },
    { weight: 4, arbitrary: fc.constantFrom(...acts) },
  ),
  afterMs: fc.nat(5),
});

type World = {
  readonly dag: Dag;
  readonly script: ReadonlyMap<string, readonly Act[]>;
  readonly journalMs: number;
  readonly random: number;
};

function worlds(failFast: fc.Arbitrary<boolean>, most = 9): fc.Arbitrary<World> {
  return fc
    .record({
      nodes: acyclicNodes(most),
      acts: fc.array(fc.tuple(act, act, act), { minLength: most, maxLength: most }),
      max: fc.nat(2),
      backoffMs: fc.nat(4),
      maxConcurrency: fc.integer({ min: 1, max: 4 }),
      failFast,
      journalMs: fc.constantFrom(0, 0, 1, 2),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    })
    .map(({ nodes, acts, max, backoffMs, maxConcurrency, failFast, journalMs, random }) => ({
      dag: {
        nodes,
        policy: { ...policy, maxConcurrency, failFast, defaultRetry: { max, backoffMs }, defaultTimeoutMs: timeoutMs },
      },
      script: new Map(nodes.map(({ id }, index) => [id, acts[index] ?? []])),
      journalMs,
      random,
    }));
}

type End = { readonly state: NodeState; readonly retries: number };

/** The end of every node of a run that nobody cancels and that goes on after failures. */
function predict({ dag, script }: World): Map<string, End> {
  const ends = new Map<string, End>();
  const byId = new Map(dag.nodes.map((node) => [node.id, node]));
  const endOf = (node: DagNode): End => {
    const known = ends.get(node.id);
    if (known) return known;
    const parents = node.dependsOn.map((id) => endOf(byId.get(id) as DagNode));
    const end = parents.every(({ state }) => state === "succeeded")
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

/** A dispatcher that plays the script, and a witness: what it throws itself would pass for a failing node. */
function stage({ script }: World, clock: ManualClock, log: readonly NodeTransition[]) {
  const live = new Map<string, number>();
  const violations: unknown[] = [];
  let most = 0;
  const checkStart = (node: DagNode, attempt: number, parents: ReadonlyMap<string, unknown>) => {
    const records = foldLog(log);
    expect(records.get(node.id)).toMatchObject({ state: "running", attempt }); // recorded before it began
    for (const parent of node.dependsOn) expect(records.get(parent)?.state).toBe("succeeded");
    expect(parents).toEqual(new Map(node.dependsOn.map((parent) => [parent, `result of ${parent}`])));
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
  /** An abandoned attempt is nobody's any more. */
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

async function live(world: World, { log = [], dieAfter = Number.POSITIVE_INFINITY, ...life }: Life = {}) {
  const clock = manualClock();
  const controller = new AbortController();
  const heard: NodeTransition[] = [];
  let left = dieAfter;
  let ended: { readonly outcome?: DagOutcome; readonly error?: unknown } | undefined;
  const journal: Journal = {
    async record(batch) {
      if (left <= 0) violations.push(new Error("it went on after its journal failed"));
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

function expectLegalPaths({ dag }: World, log: readonly NodeTransition[]): void {
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

const endsOf = (nodes: ReadonlyMap<string, NodeRecord>) =>
  Object.fromEntries([...nodes].map(([id, { state, retries }]) => [id, { state, retries }]));

it("ends every node as its dependencies and its dispatcher say, in order, on legal paths [DAG-12, DAG-15]", async () => {
  let mostLive = 0;
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(false)), async (world) => {
      const run = await live(world);
      const expected = predict(world);
      expectLegalPaths(world, run.log);
      expect(run.heard).toEqual(run.log);
      expect(endsOf(run.outcome?.nodes ?? new Map())).toEqual(Object.fromEntries(expected));
      expect(foldLog(run.log)).toEqual(run.outcome?.nodes);
      const failed = [...expected.values()].some(({ state }) => state === "failed");
      expect(run.outcome?.outcome).toBe(failed ? "failed" : "succeeded");
      for (const { state, cause } of run.outcome?.nodes.values() ?? [])
        if (state === "skipped") expect(expected.get(cause?.slice("failed:".length) ?? "")?.state).toBe("failed");
      expect(run.mostLive).toBeLessThanOrEqual(world.dag.policy.maxConcurrency);
      expect(run.clock.pendingTimers()).toBe(0);
      mostLive = Math.max(mostLive, run.mostLive);
    }),
    { numRuns: 400 },
  );
  expect(mostLive).toBe(4);
});

it("leaves no slot empty while a node could run", async () => {
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(false)), async (world) => {
      const onTick = (clock: ManualClock, log: readonly NodeTransition[]) => {
        const records = [...foldLog(log).values()];
        const running = records.filter(({ state }) => state === "running").length;
        const idle = records.some(({ state, retryAt = 0 }) => state === "queued" && retryAt <= clock.now());
        if (idle) expect(running).toBe(world.dag.policy.maxConcurrency);
      };
      await live({ ...world, journalMs: 0 }, { onTick });
    }),
    { numRuns: 200 },
  );
});

it("on fail-fast ends failed exactly when something fails, starts nothing after it, cancels the rest [DAG-14]", async () => {
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(true)), async (world) => {
      const { log, outcome } = await live(world);
      expectLegalPaths(world, log);
      const fails = [...predict(world).values()].some(({ state }) => state === "failed");
      expect(outcome?.outcome).toBe(fails ? "failed" : "succeeded");
      const ends = [...(outcome?.nodes.values() ?? [])];
      expect(ends.filter(({ state }) => state === "failed").length).toBe(fails ? 1 : 0);
      expect(ends.every(({ state }) => isTerminal(state) && state !== "skipped")).toBe(true);
      const failure = log.findIndex(({ to }) => to === "failed");
      if (fails) expect(log.slice(failure + 1).every(({ to }) => to === "cancelled")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("settles within the grace when it is cancelled at any time, every unfinished node cancelled [DAG-18]", async () => {
  await fc.assert(
    fc.asyncProperty(worlds(fc.boolean()), fc.nat(30), async (world, cancelAtMs) => {
      const { log, outcome, ticks, clock } = await live(world, { cancelAtMs });
      expectLegalPaths(world, log);
      expect([...(outcome?.nodes.values() ?? [])].every(({ state }) => isTerminal(state))).toBe(true);
      expect(outcome?.nodes.size).toBe(world.dag.nodes.length);
      expect(clock.pendingTimers()).toBeLessThanOrEqual(world.dag.nodes.length); // of dispatchers only
      expect(ticks).toBeLessThanOrEqual(cancelAtMs + graceMs + 3 * world.journalMs + 1);
      if (outcome?.outcome !== "cancelled") return;
      expect([...outcome.nodes.values()].some(({ state }) => state === "cancelled")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("ends the same after a crash at any recorded transition: nothing finished is repeated, no retry is lost", async () => {
  let crashes = 0;
  const death = fc.constantFrom("dropped" as const, "journal fails" as const);
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(false), 6), death, async (world, death) => {
      const whole = await live(world);
      for (let dieAfter = 1; dieAfter < whole.log.length; dieAfter++) {
        const first = await live(world, { dieAfter, death });
        expect([first.log.length, first.outcome]).toEqual([dieAfter, undefined]);
        if (death === "journal fails") expect(first.error).toMatchObject({ message: "journal failed" });
        const second = await live(world, { restored: foldLog(first.log), log: [...first.log] });
        expectLegalPaths(world, second.log);
        expect(endsOf(second.outcome?.nodes ?? new Map())).toEqual(endsOf(whole.outcome?.nodes ?? new Map()));
        expect(second.outcome?.outcome).toBe(whole.outcome?.outcome);
        for (const [id, { attempt, retries, state }] of second.outcome?.nodes ?? []) {
          const interrupted = second.log.filter(({ node, cause }) => node === id && cause === "interrupted").length;
          expect(attempt).toBe(state === "skipped" ? 0 : 1 + retries + interrupted);
        }
        crashes++;
      }
    }),
    { numRuns: 60 },
  );
  expect(crashes).toBeGreaterThan(100);
});

it("ends the same after many crashes in a row, fail-fast included", async () => {
  await fc.assert(
    fc.asyncProperty(
      worlds(fc.boolean()),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 8 }),
      async (world, deaths) => {
        let log: NodeTransition[] = [];
        for (const dieAfter of deaths) ({ log } = await live(world, { restored: foldLog(log), log, dieAfter }));
        const { outcome } = await live(world, { restored: foldLog(log), log });
        expectLegalPaths(world, log);
        const expected = predict(world);
        const fails = [...expected.values()].some(({ state }) => state === "failed");
        expect(outcome?.outcome).toBe(fails ? "failed" : "succeeded");
        if (!world.dag.policy.failFast)
          expect(endsOf(outcome?.nodes ?? new Map())).toEqual(Object.fromEntries(expected));
      },
    ),
    { numRuns: 300 },
  );
});
