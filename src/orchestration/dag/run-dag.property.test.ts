import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock, type ManualClock } from "../../platform/clock/index.ts";
import { isTerminal, type NodeTransition } from "./dag.ts";
import { dagLayers } from "./dag-layers.ts";
import { foldLog } from "./testkit.ts";
import { endsOf, expectLegalPaths, graceMs, live, ordinaryOf, predict, type World, worlds } from "./testkit/worlds.ts";

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
  // Four at once come by chance; that no slot stays empty is the next test.
  expect(mostLive).toBeGreaterThan(2);
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
      await live({ ...inMode(world, "eager"), journalMs: 0 }, { onTick });
    }),
    { numRuns: 200 },
  );
});

it("on fail-fast ends failed exactly when something fails, starts nothing but final nodes after it, cancels the rest [DAG-14]", async () => {
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(true)), async (world) => {
      const { log, outcome } = await live(world);
      expectLegalPaths(world, log);
      const ordinary = ordinaryOf(world);
      const failing = [...predict(world)].filter(([, { state }]) => state === "failed").map(([id]) => id);
      const fails = failing.some((id) => ordinary.has(id));
      expect(outcome?.outcome).toBe(failing.length > 0 ? "failed" : "succeeded");
      expect(finalEnds(world, outcome?.nodes)).toEqual(finalEnds(world, predict(world)));
      const ends = [...(outcome?.nodes ?? [])].filter(([id]) => ordinary.has(id)).map(([, end]) => end);
      expect(ends.filter(({ state }) => state === "failed").length).toBe(fails ? 1 : 0);
      expect(ends.every(({ state }) => isTerminal(state) && state !== "skipped")).toBe(true);
      const moves = log.filter(({ node }) => ordinary.has(node));
      const failure = moves.findIndex(({ to }) => to === "failed");
      if (fails) expect(moves.slice(failure + 1).every(({ to }) => to === "cancelled")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const began = manualClock().now();

const finalEnds = (
  world: World,
  ends: ReadonlyMap<string, { readonly state: string; readonly retries: number }> = new Map(),
) =>
  [...ends]
    .flatMap(([id, { state, retries }]) => (ordinaryOf(world).has(id) ? [] : [`${id} ${state} ${retries}`]))
    .sort();

it("settles within the grace when it is cancelled at any time, every unfinished node cancelled, then runs the final nodes [DAG-18]", async () => {
  await fc.assert(
    fc.asyncProperty(worlds(fc.boolean()), fc.nat(30), async (world, cancelAtMs) => {
      const { log, outcome, clock } = await live(world, { cancelAtMs });
      const ordinary = ordinaryOf(world);
      expectLegalPaths(world, log);
      expect([...(outcome?.nodes.values() ?? [])].every(({ state }) => isTerminal(state))).toBe(true);
      expect(outcome?.nodes.size).toBe(world.dag.nodes.length);
      expect(clock.pendingTimers()).toBeLessThanOrEqual(world.dag.nodes.length); // of dispatchers only
      const ended = log.findLast(({ node }) => ordinary.has(node))?.at ?? began;
      expect(ended - began).toBeLessThanOrEqual(cancelAtMs + graceMs + 2 * world.journalMs);
      expect(finalEnds(world, outcome?.nodes)).toEqual(finalEnds(world, predict(world)));
      const cancelled = [...(outcome?.nodes ?? [])].filter(([, { state }]) => state === "cancelled");
      expect(cancelled.every(([id]) => ordinary.has(id))).toBe(true);
      expect(outcome?.outcome === "cancelled" || cancelled.length === 0 || world.dag.policy.failFast).toBe(true);
      if (outcome?.outcome === "cancelled") expect(cancelled.length).toBeGreaterThan(0);
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
        expect(finalEnds(world, outcome?.nodes)).toEqual(finalEnds(world, expected));
        if (!world.dag.policy.failFast)
          expect(endsOf(outcome?.nodes ?? new Map())).toEqual(Object.fromEntries(expected));
      },
    ),
    { numRuns: 300 },
  );
});

it("carries an ending through that had begun before a crash, by a failure or a person: nothing but final nodes starts [DAG-14, DAG-18]", async () => {
  let endings = 0;
  await fc.assert(
    fc.asyncProperty(worlds(fc.boolean()), fc.nat(12), fc.nat(2), async (world, cancelAtMs, later) => {
      const ordinary = ordinaryOf(world);
      const ends = ({ node, to }: NodeTransition) =>
        ordinary.has(node) && (to === "cancelled" || (world.dag.policy.failFast && to === "failed"));
      const whole = await live(world, { cancelAtMs });
      const begun = whole.log.findIndex(ends) + 1;
      if (begun === 0 || begun + later >= whole.log.length) return;
      endings++;
      const first = await live(world, { cancelAtMs, dieAfter: begun + later });
      const { log, outcome } = await live(world, { restored: foldLog(first.log), log: [...first.log] });
      expectLegalPaths(world, log);
      const started = log.slice(first.log.length).filter(({ to }) => to === "running");
      expect(started.filter(({ node }) => ordinary.has(node))).toEqual([]);
      expect(finalEnds(world, outcome?.nodes)).toEqual(finalEnds(world, predict(world)));
      expect([...(outcome?.nodes.values() ?? [])].every(({ state }) => isTerminal(state))).toBe(true);
      expect(outcome?.outcome).not.toBe("succeeded");
    }),
    { numRuns: 100 },
  );
  expect(endings).toBeGreaterThan(10);
});

function inMode(world: World, mode: "eager" | "layered"): World {
  return { ...world, dag: { ...world.dag, policy: { ...world.dag.policy, mode } } };
}

it("gives equal outcomes eagerly and layer by layer, never with more nodes than slots, and no layer before its time [DAG-11]", async () => {
  let mostLive = 0;
  await fc.assert(
    fc.asyncProperty(worlds(fc.constant(false)), async (world) => {
      const eager = await live(inMode(world, "eager"));
      const layered = await live(inMode(world, "layered"));
      expect(layered.outcome?.outcome).toBe(eager.outcome?.outcome);
      expect(endsOf(layered.outcome?.nodes ?? new Map())).toEqual(endsOf(eager.outcome?.nodes ?? new Map()));
      const ended = new Set<string>();
      const layers = dagLayers(world.dag.nodes);
      for (const { node, to } of layered.log) {
        const above = layers
          .slice(
            0,
            layers.findIndex((ids) => ids.includes(node)),
          )
          .flat();
        if (to === "running") expect(above.filter((id) => !ended.has(id))).toEqual([]);
        if (isTerminal(to)) ended.add(node);
      }
      expect(layered.mostLive).toBeLessThanOrEqual(world.dag.policy.maxConcurrency);
      mostLive = Math.max(mostLive, layered.mostLive);
    }),
    { numRuns: 200 },
  );
  expect(mostLive).toBeGreaterThan(2);
});
