import fc from "fast-check";
import { expect, it } from "vitest";
import { type Adjustment, type BlockRequest, isTerminal, type NodeRecord, type NodeState } from "./dag.ts";
import { InvalidDag } from "./dag-problems.ts";
import { DagRefusal } from "./dag-refusal.ts";
import type { Change } from "./decision.ts";
import { move, moveOnRequest, recordsOf } from "./move-node.ts";
import { createSchedule } from "./create-schedule.ts";
import type { Schedule } from "./schedule.ts";
import { decide } from "./scheduler.ts";
import { acyclicNodes, chosenFinals, graph, nodeOf, policy, withFinals } from "./testkit.ts";

/** Written down a second time on purpose: the engine's own tables are what is tested. */
const legal = new Set(
  [
    "pending>queued pending>skipped pending>cancelled queued>running queued>skipped queued>cancelled",
    "running>succeeded running>failed running>queued running>blocked running>cancelled",
    "blocked>queued blocked>skipped blocked>cancelled",
  ].flatMap((line) => line.split(" ")),
);
const onRequestOnly = new Set([
  "failed>pending",
  "failed>skipped",
  "skipped>pending",
  "cancelled>pending",
  "succeeded>pending",
]);
const states = ["pending", "queued", "running", "succeeded", "failed", "blocked", "skipped", "cancelled"] as const;

const node = fc.nat(7).map((index) => `n${index}`);
/** How many attempts late it reports. */
const attempt = { node, attempt: fc.constantFrom(0, 0, 0, 0, 0, 1) };
const errorClass = fc.constantFrom("transient", "permanent", "timeout", "rate-limit", "user-fixable" as const);
const error = fc.record({ class: errorClass, message: fc.constant("no") });
const request = fc.record(
  {
    on: fc.constantFrom("approval", "clarification", "reservation" as const),
    question: fc.constant("may I?"),
    deadlineAt: fc.nat(100),
    defaultAnswer: fc.constant("yes"),
  },
  { requiredKeys: ["on", "question"] },
) as fc.Arbitrary<BlockRequest>;
const changedNode = fc
  .tuple(fc.nat(9), fc.array(fc.nat(9), { maxLength: 2 }), fc.boolean())
  .map(([index, parents, final]) =>
    nodeOf(
      `n${index}`,
      [...new Set(parents)].map((parent) => `n${parent}`),
      final ? { final } : {},
    ),
  );
const adjustment = fc.record({
  add: fc.array(changedNode, { maxLength: 1 }),
  replace: fc.array(changedNode, { maxLength: 1 }),
  remove: fc.array(node, { maxLength: 1 }),
});
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant("attempt-succeeded" as const), ...attempt, result: fc.nat() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("attempt-succeeded" as const), ...attempt, result: fc.nat(), adjustment }),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant("attempt-failed" as const), ...attempt, error }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant("attempt-blocked" as const), ...attempt, request }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("attempt-interrupted" as const),
      ...attempt,
      message: fc.constant("died"),
    }),
  },
  fc.record({ type: fc.constantFrom("attempt-timed-out" as const, "attempt-abandoned" as const), ...attempt }),
  fc.record({ type: fc.constant("paused" as const), running: fc.constantFrom("finish" as const, "abort" as const) }),
  { weight: 8, arbitrary: fc.record({ type: fc.constantFrom("woken" as const, "unpaused" as const) }) },
  fc.record({ type: fc.constant("started" as const) }),
  fc.record({ type: fc.constant("cancel-requested" as const), reason: fc.constant("enough") }),
  { weight: 8, arbitrary: fc.record({ type: fc.constant("retry-requested" as const), node }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("skip-requested" as const),
      node,
      reason: fc.constant("why not"),
      treatAsDone: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("unblock-requested" as const), node, answer: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("adjust-requested" as const),
      adjustment,
      expectedVersion: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

it("makes only legal moves and leaves terminal states alone unless asked, whatever is reported and however often [DAG-5, DAG-6]", () => {
  const seen = new Set<string>();
  let mostInterrupted = 0;
  fc.assert(
    fc.property(
      fc.tuple(acyclicNodes(8), chosenFinals(8)).map(([nodes, chosen]) => withFinals(nodes, chosen)),
      fc.array(fc.tuple(change, fc.nat(20)), { maxLength: 60, size: "max" }),
      fc.record({ failFast: fc.boolean(), mode: fc.constantFrom("eager" as const, "layered" as const) }),
      fc.integer({ min: 2, max: 4 }),
      (nodes, changes, terms, maxConcurrency) => {
        const dag = { nodes, policy: { ...policy, ...terms, maxConcurrency, defaultRetry: { max: 1, backoffMs: 10 } } };
        const schedule = createSchedule(dag, { random: () => 0.5 });
        const known = new Map<string, NodeState>(nodes.map(({ id }) => [id, "pending"]));
        let monotonic = 0;
        for (const [next, passed] of [[{ type: "started" } as Change, 0] as const, ...changes]) {
          monotonic += passed;
          const told = concerning(schedule, next);
          const { adjusted, transitions } = decideOrRefuse(schedule, told, monotonic);
          if ("attempt" in next && "attempt" in told && next.attempt > 0)
            expect(transitions.filter(({ node, from }) => node === told.node && from === "running")).toEqual([]); // late
          if (adjusted) adapt(known, adjusted.adjustment);
          expect(adjusted?.by).toBe(adjusted && "attempt" in told ? told.node : undefined);
          for (const { node, from, to, interruptions = 0 } of transitions) {
            expect(known.get(node)).toBe(from);
            expect(interruptions, "the third one ends it, and an end forgets them").toBeLessThan(
              isTerminal(to) ? 1 : 3,
            );
            mostInterrupted = Math.max(mostInterrupted, interruptions);
            const asked = next.type === "retry-requested" || next.type === "skip-requested";
            if (to === "running" && isFinal(schedule, node)) expect(unendedOrdinary(schedule, known)).toEqual([]);
            expect(legal.has(`${from}>${to}`) || (asked && onRequestOnly.has(`${from}>${to}`))).toBe(true);
            seen.add(`${from}>${to}`);
            known.set(node, to);
          }
          expect([...known.values()].filter((state) => state === "running").length).toBeLessThanOrEqual(maxConcurrency);
          expect(schedule.finished).toBe([...known.values()].every(isTerminal));
          expect(new Map([...recordsOf(schedule)].map(([id, { state }]) => [id, state]))).toEqual(known);
        }
      },
    ),
    { numRuns: 250 },
  );
  expect(mostInterrupted).toBeGreaterThan(0);
  // What people ask for hits a fitting node by chance only: requests.test.ts and crash-anywhere have every such move.
  expect(["running>blocked", "running>failed", "running>succeeded"].filter((move) => !seen.has(move))).toEqual([]);
});

/** Of a node that is there, mostly; its attempt counted back from the latest. */
function concerning(schedule: Schedule, change: Change): Change {
  if (!("node" in change)) return change;
  const records = [...recordsOf(schedule)];
  const [node, record] = records[Number(change.node.slice(1)) % records.length]!;
  if ("attempt" in change) return { ...change, node, attempt: record.attempt - change.attempt };
  return change.node === "n7" ? change : { ...change, node };
}

const isFinal = ({ position, finals }: Schedule, id: string) => finals.has(position.get(id) ?? -1);

const unendedOrdinary = (schedule: Schedule, known: ReadonlyMap<string, NodeState>) =>
  [...known].filter(([id, state]) => !isTerminal(state) && !isFinal(schedule, id));

/** A refusal changes nothing. */
function decideOrRefuse(schedule: Schedule, change: Change, monotonic: number) {
  const before = snapshot(schedule);
  try {
    return decide(schedule, change, { wall: monotonic, monotonic });
  } catch (error) {
    if (!(error instanceof DagRefusal || error instanceof InvalidDag)) throw error;
    expect(snapshot(schedule)).toEqual(before);
    return { adjusted: undefined, transitions: [] };
  }
}

function snapshot(schedule: Schedule): readonly unknown[] {
  const { records, position, counts, version, open, edges, finals, unendedFinals } = schedule;
  return [[...records], new Map(position), { ...counts }, version, [...open], edges, [...finals], unendedFinals];
}

function adapt(known: Map<string, NodeState>, { add = [], replace = [], remove = [] }: Adjustment): void {
  for (const id of remove) known.delete(id);
  for (const { id } of replace) known.delete(id);
  for (const { id } of [...add, ...replace]) known.set(id, "pending");
}

it("refuses every move that is not legal, and the ways out of an end unless they were asked for [DAG-6]", () => {
  const now = { wall: 0, monotonic: 0 };
  for (const from of states) {
    for (const to of states) {
      const scheduleIn = (record: NodeRecord) =>
        createSchedule(graph({ a: [] }), { restored: new Map([["a", record]]), random: () => 0 });
      const byItself = () => move(scheduleIn({ state: from, attempt: 1, retries: 0 }), 0, to, now, {});
      const onRequest = () => moveOnRequest(scheduleIn({ state: from, attempt: 1, retries: 0 }), 0, to, now, {});
      const path = `${from}>${to}`;
      if (legal.has(path)) expect(byItself()).toMatchObject({ from, to });
      else expect(byItself).toThrow(`cannot go from ${from} to ${to}`);
      if (legal.has(path) || onRequestOnly.has(path)) expect(onRequest()).toMatchObject({ from, to });
      else expect(onRequest).toThrow(`cannot go from ${from} to ${to}`);
    }
  }
});
