import { expect, it } from "vitest";
import type { BlockRequest } from "./dag.ts";
import { Blocked } from "./node-outcomes.ts";
import { foldLog, graph, settle, startTestRun } from "./testkit.ts";

const approval: BlockRequest = { on: "approval", question: "Delete the table?" };

it("gives its slot back while it is blocked, waits instead of finishing, and continues with the answer [DAG-5]", async () => {
  const run = await startTestRun(graph({ a: [], b: [], c: ["a"] }, { maxConcurrency: 1 }));
  run.call("a").fail(new Blocked(approval));
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b"]);
  run.call("b").succeed();
  await run.pass(100);
  expect(run.status()).toMatchObject({ phase: "waiting", counts: { blocked: 1, pending: 1, running: 0 } });
  expect([run.status().nodes.get("a"), run.clock.pendingTimers()]).toEqual([
    { state: "blocked", attempt: 1, retries: 0, block: approval },
    0,
  ]);
  await run.unblock("a", "yes, do");
  expect(run.call("a")).toMatchObject({ attempt: 2, answer: "yes, do" });
  run.call("a").succeed();
  await settle();
  run.call("c").succeed();
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("keeps every answer for the attempts that follow, interrupted and retried ones too", async () => {
  const dag = graph({ a: [] }, { defaultRetry: { max: 1, backoffMs: 0 } });
  const run = await startTestRun(dag);
  run.call("a").fail(new Blocked(approval));
  await settle();
  await run.unblock("a");
  run.call("a").fail(new Blocked({ on: "clarification", question: "Which one?" }));
  await settle();
  await run.unblock("a", "the old one");
  const answers = [
    { ...approval, answer: true },
    { on: "clarification", question: "Which one?", answer: "the old one" },
  ];
  expect(run.call("a")).toMatchObject({ attempt: 3, answer: "the old one", answers });
  const second = await startTestRun(dag, { restored: foldLog(run.log) });
  expect(second.call("a")).toMatchObject({ attempt: 4, answers });
});

it("takes the default answer at its deadline, and waits on without one", async () => {
  const run = await startTestRun(graph({ a: [], b: [], c: [] }));
  const deadlineAt = run.clock.now() + 50;
  run.call("a").fail(new Blocked({ ...approval, deadlineAt, defaultAnswer: "no" }));
  run.call("b").fail(new Blocked({ ...approval, deadlineAt }));
  run.call("c").fail(new Blocked({ ...approval, deadlineAt: Number.NaN, defaultAnswer: "no" }));
  await run.pass(49);
  expect(run.status().counts.blocked).toBe(3);
  await run.pass(1);
  expect(run.call("a")).toMatchObject({ attempt: 2, answer: "no" });
  await run.pass(100);
  expect(run.status().counts.blocked).toBe(2);
});

it("forgets the deadline of a question that was answered before", async () => {
  const run = await startTestRun(graph({ a: [] }));
  const deadlineAt = run.clock.now() + 50;
  run.call("a").fail(new Blocked({ ...approval, deadlineAt, defaultAnswer: "no" }));
  await settle();
  await run.unblock("a", "yes");
  run.call("a").fail(new Blocked({ ...approval, question: "Really?" }));
  await run.pass(60);
  expect(run.status().nodes.get("a")).toMatchObject({ state: "blocked", block: { question: "Really?" } });
});

it("restores a blocked node as blocked, with its deadline", async () => {
  const block = { ...approval, deadlineAt: 1_767_225_600_000 + 20, defaultAnswer: "no" };
  const restored = new Map([["a", { state: "blocked", attempt: 1, retries: 0, block } as const]]);
  const run = await startTestRun(graph({ a: [], b: ["a"] }), { restored });
  expect([run.log, run.calls, run.status().phase]).toEqual([[], [], "waiting"]);
  await run.pass(20);
  expect(run.call("a")).toMatchObject({ attempt: 2, answer: "no" });
});

it("can be cancelled or skipped while it is blocked", async () => {
  const cancelled = await startTestRun(graph({ a: [], b: ["a"] }));
  cancelled.call("a").fail(new Blocked(approval));
  await settle();
  cancelled.cancel("never mind");
  expect(await cancelled.finished).toMatchObject({ outcome: "cancelled" });

  const skipped = await startTestRun(graph({ a: [], b: ["a"] }));
  skipped.call("a").fail(new Blocked(approval));
  await settle();
  await skipped.skip("a", "nobody answers");
  expect(await skipped.finished).toMatchObject({ outcome: "succeeded" });
});

it("asks although it is being paused, and not once it timed out or the run ends", async () => {
  const paused = await startTestRun(graph({ a: [] }));
  paused.pause("abort");
  paused.call("a").fail(new Blocked(approval));
  await settle();
  expect(paused.status()).toMatchObject({ phase: "paused", counts: { blocked: 1 } });

  const late = await startTestRun(graph({ a: [], b: [] }, { defaultTimeoutMs: 5 }));
  await late.pass(5);
  late.call("a").fail(new Blocked(approval));
  await settle();
  expect(late.status().nodes.get("a")).toMatchObject({ state: "failed", error: { class: "timeout" } });
  late.cancel();
  late.call("b").fail(new Blocked(approval));
  await late.finished;
  expect(late.status().nodes.get("b")?.state).toBe("cancelled");
});

it("counts no attempt that waits before it has begun anything, so the node can still be replaced or removed [DAG-5]", async () => {
  const held = new Blocked({ on: "reservation", question: "heron has it" }, { beforeStart: true });
  const run = await startTestRun(graph({ a: [], b: [], c: ["a"] }));
  for (const node of ["a", "b"]) run.call(node).fail(held);
  await settle();
  expect(run.status().nodes.get("a")).toMatchObject({ state: "blocked", attempt: 0 });
  const [another] = graph({ a: [] }).nodes;
  await run.adjust({ replace: [another!], remove: ["b"] }, { expectedVersion: 1 });
  expect(run.call("a").attempt).toBe(1);
  run.call("a").succeed();
  await settle();
  run.call("c").succeed();
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("remembers of many waits for a reservation the last one, and every other answer", async () => {
  const run = await startTestRun(graph({ a: [] }));
  run.call("a").fail(new Blocked(approval));
  for (const question of ["heron has it", "otter has it"]) {
    await settle();
    await run.unblock("a");
    run.call("a").fail(new Blocked({ on: "reservation", question }, { beforeStart: true }));
  }
  await settle();
  await run.unblock("a");
  expect(run.call("a")).toMatchObject({
    attempt: 2,
    answers: [
      { ...approval, answer: true },
      { on: "reservation", question: "otter has it", answer: true },
    ],
  });
  expect(run.log.findLast(({ to }) => to === "queued")).toMatchObject({ cause: "reservation-freed" });
});
