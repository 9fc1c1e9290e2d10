import fc from "fast-check";
import { expect, it } from "vitest";
import { isTerminal, type NodeState } from "./dag.ts";
import { createSchedule, move } from "./schedule.ts";
import { type Change, decide } from "./scheduler.ts";
import { acyclicNodes, graph, policy } from "./testkit.ts";

/** Written down a second time on purpose: the engine's own table is what is tested. */
const legal = new Set(
  [
    "pending>queued pending>skipped pending>cancelled queued>running queued>cancelled",
    "running>succeeded running>failed running>queued running>cancelled",
  ].flatMap((line) => line.split(" ")),
);
const states = ["pending", "queued", "running", "succeeded", "failed", "blocked", "skipped", "cancelled"] as const;

const attempt = { node: fc.nat(7).map((index) => `n${index}`), attempt: fc.integer({ min: 1, max: 4 }) };
const errorClass = fc.constantFrom("transient", "permanent", "timeout", "rate-limit", "user-fixable" as const);
const error = fc.record({ class: errorClass, message: fc.constant("no") });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("attempt-succeeded" as const), ...attempt, result: fc.nat() }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("attempt-failed" as const), ...attempt, error }) },
  fc.record({ type: fc.constantFrom("attempt-timed-out" as const, "attempt-abandoned" as const), ...attempt }),
  fc.record({ type: fc.constant("paused" as const), running: fc.constantFrom("finish" as const, "abort" as const) }),
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("retry-due" as const, "unpaused" as const) }) },
  fc.record({ type: fc.constantFrom("started" as const, "cancel-requested" as const) }),
);

it("makes only legal moves and leaves terminal states alone, whatever is reported and however often [DAG-6]", () => {
  fc.assert(
    fc.property(
      acyclicNodes(8),
      fc.array(fc.tuple(change, fc.nat(20)), { maxLength: 60 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
      (nodes, changes, failFast, maxConcurrency) => {
        const dag = { nodes, policy: { ...policy, failFast, maxConcurrency, defaultRetry: { max: 1, backoffMs: 10 } } };
        const schedule = createSchedule(dag, { random: () => 0.5 });
        const known = new Map<string, NodeState>(nodes.map(({ id }) => [id, "pending"]));
        const ids = new Set(nodes.map(({ id }) => id));
        let monotonic = 0;
        for (const [next, passed] of [[{ type: "started" } as Change, 0] as const, ...changes]) {
          if ("node" in next && !ids.has(next.node)) continue;
          monotonic += passed;
          for (const { node, from, to } of decide(schedule, next, { wall: 0, monotonic }).transitions) {
            expect(known.get(node)).toBe(from);
            expect(legal.has(`${from}>${to}`)).toBe(true);
            known.set(node, to);
          }
          expect([...known.values()].filter((state) => state === "running").length).toBeLessThanOrEqual(maxConcurrency);
          expect(schedule.finished).toBe([...known.values()].every(isTerminal));
        }
      },
    ),
    { numRuns: 500 },
  );
});

it("refuses every move that is not legal [DAG-6]", () => {
  for (const from of states.filter((state) => state !== "blocked")) {
    for (const to of states.filter((state) => state !== "blocked")) {
      const restored = new Map([["a", { state: from, attempt: 1, retries: 0 }]]);
      const schedule = createSchedule(graph({ a: [] }), { restored, random: () => 0 });
      const attempted = () => move(schedule, 0, to, 0, {});
      if (legal.has(`${from}>${to}`)) expect(attempted()).toMatchObject({ from, to });
      else expect(attempted).toThrow(`cannot go from ${from} to ${to}`);
    }
  }
});
