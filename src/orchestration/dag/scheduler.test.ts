import { expect, it } from "vitest";
import type { Action, Change } from "./decision.ts";
import { workOf } from "./move-node.ts";
import { createSchedule } from "./create-schedule.ts";
import type { Moment } from "./schedule.ts";
import { decide } from "./scheduler.ts";
import type { Dag } from "./dag.ts";
import { chain, fan, graph } from "./testkit.ts";

/** 100,000 nodes are a second of work, which may be a long one beside other work. */
const busyMachineMs = 60_000;

const now: Moment = { wall: 5_000, monotonic: 100 };

function schedulerOf(dag: Dag) {
  const schedule = createSchedule(dag, { random: () => 1 });
  const take = (change: Change, at = now) => decide(schedule, change, at);
  const succeed = (node: string) => take({ type: "attempt-succeeded", node, attempt: 1, result: node });
  return { schedule, take, succeed };
}

const moves = ({ transitions }: ReturnType<typeof decide>) =>
  transitions.map(({ node, to }) => `${node}:${to}`).join(" ");

it("decides from one change what to record and what to do", () => {
  const { take, succeed } = schedulerOf(graph({ b: ["a"], a: [] }));
  expect(take({ type: "started" })).toMatchObject({
    transitions: [{ to: "queued" }, { to: "running", attempt: 1, at: 5_000 }],
    actions: [{ type: "dispatch", node: "a", attempt: 1, timeoutMs: 60_000 }],
  });
  expect(moves(succeed("a"))).toBe("a:succeeded b:queued b:running");
  expect(succeed("b").actions).toEqual([{ type: "finish", outcome: "succeeded" }]);
});

it("ignores what comes late, twice, or after the end", () => {
  const { take, succeed } = schedulerOf(graph({ a: [], b: ["a"] }));
  const nothing = { transitions: [], actions: [] };
  take({ type: "started" });
  expect(take({ type: "attempt-succeeded", node: "a", attempt: 2, result: 0 })).toMatchObject(nothing);
  expect(take({ type: "attempt-abandoned", node: "b", attempt: 1 })).toMatchObject(nothing);
  succeed("a");
  expect(succeed("a")).toMatchObject(nothing);
  expect(take({ type: "started" })).toMatchObject(nothing);
  succeed("b");
  expect(take({ type: "cancel-requested" })).toMatchObject(nothing);
});

it("asks to be woken for the next retry, and again only when that changes", () => {
  const { take } = schedulerOf(graph({ a: [], b: [], c: [] }, { defaultRetry: { max: 1, backoffMs: 40 } }));
  take({ type: "started" });
  const fail = (node: string, monotonic: number) =>
    take(
      { type: "attempt-failed", node, attempt: 1, error: { class: "transient", message: "" } },
      { ...now, monotonic },
    ).actions;
  expect(fail("a", 100)).toEqual([{ type: "wake", at: 140 }]);
  expect(fail("b", 110)).toEqual([]);
  const woken = take({ type: "woken" }, { ...now, monotonic: 140 }).actions;
  expect(woken).toMatchObject([
    { type: "dispatch", node: "a", attempt: 2 },
    { type: "wake", at: 150 },
  ]);
  expect(take({ type: "woken" }, { ...now, monotonic: 149 }).actions).toEqual([{ type: "wake", at: 150 }]);
});

it("aborts each running node once, whatever else is asked of it", () => {
  const { take } = schedulerOf(graph({ a: [], b: [] }));
  take({ type: "started" });
  expect(take({ type: "attempt-timed-out", node: "a", attempt: 1 }).actions).toMatchObject([
    { type: "abort", reason: "timeout" },
  ]);
  expect(take({ type: "attempt-timed-out", node: "a", attempt: 1 }).actions).toEqual([]);
  expect(take({ type: "paused", running: "abort" }).actions).toMatchObject([{ node: "b", reason: "interrupt" }]);
  expect(take({ type: "cancel-requested" }).actions).toEqual([]);
  expect(moves(take({ type: "attempt-abandoned", node: "a", attempt: 1 }))).toBe("a:cancelled");
  const last = take({ type: "attempt-succeeded", node: "b", attempt: 1, result: 1 });
  expect([moves(last), last.actions]).toEqual(["b:cancelled", [{ type: "finish", outcome: "cancelled" }]]);
});

it("fails for good what did not stop when a pause told it to: it may still be at work", () => {
  const { take } = schedulerOf(graph({ a: [], b: ["a"] }));
  take({ type: "started" });
  take({ type: "paused", running: "abort" });
  expect(moves(take({ type: "attempt-abandoned", node: "a", attempt: 1 }))).toBe("a:failed b:skipped");
});

/** Everything succeeds at once; what is counted cannot be blurred by a busy machine. */
function workToFinish(dag: Dag): number {
  const { schedule, take } = schedulerOf(dag);
  const open: Action[] = [...take({ type: "started" }).actions];
  for (let action = open.shift(); action?.type === "dispatch"; action = open.shift()) {
    const { node, attempt } = action;
    for (const next of take({ type: "attempt-succeeded", node, attempt, result: node }).actions) open.push(next);
  }
  expect(schedule.finished).toBe(true);
  return workOf(schedule);
}

it(
  "costs by what changes: ten times the chain is ten times the work, to 100,000 nodes",
  () => {
    const [small, large] = [workToFinish(chain(10_000)), workToFinish(chain(100_000))];
    expect(large).toBeLessThanOrEqual(10 * small + 100);
    expect(large).toBeLessThanOrEqual(7 * 100_000);
  },
  busyMachineMs,
);

it("costs a logarithm for the order of the plan: 1,000 nodes side by side, and 4,000", () => {
  for (const width of [1_000, 4_000])
    expect(workToFinish(fan(width))).toBeLessThanOrEqual(width * (8 + 2 * Math.log2(width)));
});

it(
  "costs one pass to skip or to cancel everything below a failure",
  () => {
    for (const failFast of [false, true]) {
      const { schedule, take } = schedulerOf(chain(100_000, { failFast }));
      take({ type: "started" });
      const before = workOf(schedule);
      const error = { class: "permanent", message: "no" } as const;
      const { transitions } = take({ type: "attempt-failed", node: "n0", attempt: 1, error });
      expect(transitions.length).toBe(100_000);
      expect(workOf(schedule) - before).toBeLessThanOrEqual(2 * 100_000 + 10);
    }
  },
  busyMachineMs,
);
