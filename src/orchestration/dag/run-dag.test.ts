import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import type { NodeRecord, NodeTransition } from "./dag.ts";
import type { DagEvent, JournalEntry } from "./dag-run.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { runDag } from "./run-dag.ts";
import { fan, foldLog, graph, memoryJournal, nodeOf, policy, settle, startTestRun, transitionsOf } from "./testkit.ts";

const transient = () => new NodeFailure({ class: "transient", message: "try later" });
const permanent = () => new NodeFailure({ class: "permanent", message: "no such file" });

it("starts a node only after its dependencies succeeded, and gives it what they returned [DAG-12]", async () => {
  const run = await startTestRun(graph({ end: ["left", "right"], left: [], right: [], other: ["left"] }));
  expect(run.calls.map(({ node }) => node)).toEqual(["left", "right"]);
  run.call("left").succeed({ files: 3 });
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["left", "right", "other"]);
  run.call("right").succeed("done");
  await settle();
  expect([...run.call("end").parents]).toEqual([
    ["left", { files: 3 }],
    ["right", "done"],
  ]);
});

it("runs 20 nodes in 5 layers in a correct order [DAG-22]", async () => {
  const ids = (layer: number) => Array.from({ length: 4 }, (_, index) => `l${layer}-${index}`);
  const nodes = [0, 1, 2, 3, 4].flatMap((layer) =>
    ids(layer).map((id) => nodeOf(id, layer === 0 ? [] : ids(layer - 1))),
  );
  const run = await startTestRun({ nodes, policy });
  for (let done = 0; done < nodes.length; done++) {
    run.calls[done]?.succeed();
    await settle();
  }
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
  const order = run.log.filter(({ to }) => to === "running").map(({ node }) => node);
  expect(order).toEqual(nodes.map(({ id }) => id));
  for (const layer of [1, 2, 3, 4]) {
    const begins = run.log.findIndex(({ node, to }) => node.startsWith(`l${layer}-`) && to === "running");
    const before = run.log.slice(0, begins).filter(({ to }) => to === "succeeded");
    expect(before.map(({ node }) => node)).toEqual(expect.arrayContaining(ids(layer - 1)));
  }
});

it("makes one transition of every change, with its states, time and attempt", async () => {
  const run = await startTestRun(graph({ a: [] }));
  await run.pass(5);
  run.call("a").succeed(7);
  await settle();
  const at = run.clock.now();
  const facts = { node: "a", retries: 0 };
  expect(run.log).toEqual([
    { ...facts, from: "pending", to: "queued", attempt: 0, at: at - 5 },
    { ...facts, from: "queued", to: "running", attempt: 1, at: at - 5 },
    { ...facts, from: "running", to: "succeeded", attempt: 1, at, result: 7 },
  ]);
  const { outcome, nodes } = await run.finished;
  expect([outcome, [...nodes]]).toEqual([
    "succeeded",
    [["a", { state: "succeeded", attempt: 1, retries: 0, result: 7 }]],
  ]);
});

it("uses the slots it has and no more, in the order of the plan", async () => {
  const run = await startTestRun(fan(5, { maxConcurrency: 2 }));
  run.call("root").succeed();
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["root", "m0", "m1"]);
  run.call("m1").succeed();
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["root", "m0", "m1", "m2"]);
});

it("on fail-fast aborts what runs, cancels the rest and ends failed [DAG-14, DAG-23]", async () => {
  const run = await startTestRun(
    graph({ a: [], b: [], c: ["a"], d: ["c"], e: ["b"], f: [] }, { failFast: true, maxConcurrency: 2 }),
  );
  run.call("a").succeed();
  await settle();
  run.news();
  run.call("c").fail(permanent());
  await settle();
  expect(run.news()).toBe("c:failed d:cancelled e:cancelled f:cancelled");
  expect(run.call("b").signal.aborted).toBe(true);
  run.call("b").fail(new Error("aborted"));
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("b"), nodes.get("f")]).toMatchObject([
    "failed",
    { state: "cancelled", cause: "failed:c" },
    { state: "cancelled", cause: "failed:c" },
  ]);
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b", "c"]);
});

it("without fail-fast skips what depends on a failure, with its cause, and finishes the rest [DAG-15, DAG-24]", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b", "x"], x: [], y: ["x"], d: ["c"] }));
  run.call("a").fail(permanent());
  run.call("x").succeed();
  await settle();
  run.call("y").succeed();
  const { outcome, nodes } = await run.finished;
  expect(outcome).toBe("failed");
  expect([...nodes].map(([id, { state, cause }]) => [id, state, cause])).toEqual([
    ["a", "failed", undefined],
    ["b", "skipped", "failed:a"],
    ["c", "skipped", "failed:a"],
    ["x", "succeeded", undefined],
    ["y", "succeeded", undefined],
    ["d", "skipped", "failed:a"],
  ]);
});

it("retries up to the limit with growing back-off and a new attempt number [DAG-17]", async () => {
  const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 2, backoffMs: 10 } }));
  run.call("a").fail(transient());
  await run.pass(9);
  expect(run.calls.length).toBe(1);
  await run.pass(1);
  expect(run.call("a").attempt).toBe(2);
  run.call("a").fail(transient());
  await run.pass(19);
  expect(run.calls.length).toBe(2);
  await run.pass(1);
  expect(run.call("a").attempt).toBe(3);
  run.call("a").fail(transient());
  const { outcome, nodes } = await run.finished;
  const error = { class: "transient", message: "try later" };
  expect([outcome, nodes.get("a")]).toEqual(["failed", { state: "failed", attempt: 3, retries: 2, error }]);
  expect(run.log.filter(({ retryAt }) => retryAt !== undefined).map(({ at, retryAt }) => (retryAt ?? 0) - at)).toEqual([
    10, 20,
  ]);
});

it.each(["permanent", "user-fixable"] as const)("never retries what is %s [DAG-17]", async (kind) => {
  const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 5, backoffMs: 1 } }));
  run.call("a").fail(new NodeFailure({ class: kind, message: "no" }));
  const { nodes } = await run.finished;
  expect(nodes.get("a")).toMatchObject({ state: "failed", attempt: 1, error: { class: kind } });
});

it.each(["rate-limit", "provider-degraded", "timeout"] as const)(
  "retries after %s, not before the time asked for",
  async (kind) => {
    const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 1, backoffMs: 2 } }), { random: () => 0 });
    run.call("a").fail(new NodeFailure({ class: kind, message: "slow down", retryAfterMs: 50 }));
    await run.pass(49);
    expect(run.calls.length).toBe(1);
    await run.pass(1);
    run.call("a").succeed();
    expect(await run.finished).toMatchObject({ outcome: "succeeded" });
  },
);

it("frees the slot while a node waits for its retry", async () => {
  const run = await startTestRun(
    graph({ a: [], b: [] }, { maxConcurrency: 1, defaultRetry: { max: 1, backoffMs: 10 } }),
  );
  run.call("a").fail(transient());
  await run.pass(10);
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b"]);
  run.call("b").succeed();
  await settle();
  expect(run.call("a").attempt).toBe(2);
});

it("counts an error without a class as permanent, whatever was thrown", async () => {
  const thrown = [new Error("boom"), "text", undefined, Object.create(null), new Proxy({}, { get: () => Number.NaN })];
  const ids = thrown.map((_, index) => `n${index}`);
  const dag = graph(Object.fromEntries(ids.map((id) => [id, []])), {
    maxConcurrency: 9,
    defaultRetry: { max: 3, backoffMs: 1 },
  });
  const run = await startTestRun(dag);
  thrown.forEach((reason, index) => run.call(`n${index}`).fail(reason));
  const { nodes } = await run.finished;
  expect([...nodes.values()].map(({ error }) => error?.class)).toEqual(ids.map(() => "permanent"));
  expect(nodes.get("n0")?.error?.message).toBe("boom");
});

it("takes a dispatcher that throws at once as a failed attempt", async () => {
  const dispatch = () => {
    throw permanent();
  };
  const run = await startTestRun(graph({ a: [], b: ["a"] }), { dispatch });
  expect(await run.finished).toMatchObject({ outcome: "failed" });
});

it("aborts a node that exceeds its timeout and fails it with a timeout error [DAG-16]", async () => {
  const dag = { nodes: [nodeOf("a", [], { timeoutMs: 20 }), nodeOf("b")], policy };
  const run = await startTestRun(dag);
  await run.pass(19);
  expect(run.call("a").signal.aborted).toBe(false);
  await run.pass(1);
  expect([run.call("a").signal.aborted, run.call("b").signal.aborted]).toEqual([true, false]);
  run.call("a").succeed("too late");
  run.call("b").succeed();
  const { outcome, nodes } = await run.finished;
  const error = { class: "timeout", message: "it timed out after 20 ms" };
  expect([outcome, nodes.get("a")]).toEqual(["failed", { state: "failed", attempt: 1, retries: 0, error }]);
});

it("gives each attempt the whole timeout, and holds the slot until the old attempt has stopped", async () => {
  const run = await startTestRun(
    graph({ a: [], b: [] }, { maxConcurrency: 1, defaultTimeoutMs: 20, defaultRetry: { max: 1, backoffMs: 5 } }),
  );
  await run.pass(23);
  expect(run.calls.length).toBe(1);
  run.call("a").fail(run.call("a").signal.reason);
  await settle();
  run.call("b").succeed();
  await run.pass(5);
  expect(run.call("a").attempt).toBe(2);
  await run.pass(19);
  run.call("a").succeed("in time");
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("abandons an attempt that ignores its abort after the grace, never repeats it, ignores what it says later", async () => {
  const dag = graph({ a: [], b: [], c: ["b"] }, { defaultTimeoutMs: 20, defaultRetry: { max: 3, backoffMs: 1 } });
  const run = await startTestRun(dag, { abortGraceMs: 10 });
  run.call("b").succeed();
  await settle();
  run.call("c").succeed();
  await run.pass(29);
  expect(run.news()).not.toContain("a:failed");
  await run.pass(1);
  const { outcome, nodes } = await run.finished;
  run.call("a").succeed("late");
  await settle();
  expect(run.news()).toBe("a:failed");
  expect([outcome, nodes.get("a")?.error?.class, nodes.get("a")?.attempt]).toEqual(["failed", "timeout", 1]);
  expect(run.clock.pendingTimers()).toBe(0);
});

it("cancels in the middle of a run: nothing more starts, everything unfinished ends cancelled [DAG-18, DAG-25]", async () => {
  const dag = graph({ a: [], b: ["a"], c: ["a"], d: ["b", "c"] }, { defaultRetry: { max: 3, backoffMs: 1 } });
  const run = await startTestRun(dag, { abortGraceMs: 10 });
  run.call("a").succeed();
  await settle();
  run.news();
  run.cancel();
  await settle();
  expect([run.news(), run.call("b").signal.aborted]).toEqual(["d:cancelled", true]);
  run.call("b").succeed("just then");
  await run.pass(10);
  const { outcome, nodes } = await run.finished;
  expect(outcome).toBe("cancelled");
  expect([...nodes.values()].map(({ state }) => state)).toEqual(["succeeded", "cancelled", "cancelled", "cancelled"]);
  expect(nodes.get("c")?.cause).toBe("cancel-requested");
  expect(run.clock.pendingTimers()).toBe(0);
});

it("cancels a node that waits for its retry, and leaves no timer behind", async () => {
  const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 3, backoffMs: 1_000 } }));
  run.call("a").fail(transient());
  await settle();
  run.cancel();
  expect(await run.finished).toMatchObject({ outcome: "cancelled" });
  expect(run.clock.pendingTimers()).toBe(0);
});

it("is failed when it was failing before it was cancelled, cancelled when it went on after a failure", async () => {
  const failing = await startTestRun(graph({ a: [], b: [], c: ["b"] }, { failFast: true }));
  failing.call("a").fail(permanent());
  await settle();
  failing.cancel();
  failing.call("b").fail(new Error("stopped"));
  const { outcome, nodes } = await failing.finished;
  expect([outcome, nodes.get("b")?.cause]).toEqual(["failed", "failed:a"]);

  const patient = await startTestRun(graph({ a: [], b: [], c: ["a"] }));
  patient.call("a").fail(permanent());
  await settle();
  patient.cancel();
  patient.call("b").fail(new Error("stopped"));
  expect(await patient.finished).toMatchObject({ outcome: "cancelled" });
});

it("leaves no listener and only one wake behind", async () => {
  const { signal } = new AbortController();
  const dag = {
    nodes: [nodeOf("a"), nodeOf("b", [], { retry: { max: 1, backoffMs: 10 } })],
    policy: { ...policy, defaultRetry: { max: 1, backoffMs: 100 } },
  };
  const run = await startTestRun(dag, { signal });
  run.call("a").fail(transient());
  await settle();
  run.call("b").fail(transient());
  await settle();
  expect(run.clock.pendingTimers()).toBe(1);
  await run.pass(100);
  run.call("a").succeed();
  run.call("b").succeed();
  await run.finished;
  expect([getEventListeners(signal, "abort").length, run.clock.pendingTimers()]).toEqual([0, 0]);
});

it("breaks off by a defect instead of hanging, and starts nothing that was being recorded", async () => {
  const { record } = memoryJournal();
  let gate = Promise.resolve();
  const journal = { record: (batch: readonly JournalEntry[]) => gate.then(() => record(batch)) };
  const random = () => {
    throw new Error("no chance");
  };
  const dag = graph({ a: [], b: [], c: ["b"] }, { defaultRetry: { max: 1, backoffMs: 1 } });
  const run = await startTestRun(dag, { journal, random });
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  run.call("b").succeed();
  await settle();
  run.call("a").fail(transient());
  await settle();
  resolve();
  await expect(run.finished).rejects.toThrow("no chance");
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b"]);
});

it("starts nothing when it is cancelled before it begins", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"] }), { signal: AbortSignal.abort() });
  expect(await run.finished).toMatchObject({ outcome: "cancelled" });
  expect([run.calls.length, run.news()]).toEqual([0, "a:cancelled b:cancelled"]);
});

it("tells what runs to stop although the journal hangs, and starts nothing that was not recorded", async () => {
  const { log, record } = memoryJournal();
  let hang = false;
  const journal = {
    record: (batch: readonly JournalEntry[]) => (hang ? new Promise<never>(() => {}) : record(batch)),
  };
  const controller = new AbortController();
  const run = await startTestRun(graph({ a: [], b: [], c: ["a"] }), { journal, signal: controller.signal });
  hang = true;
  run.call("a").succeed();
  await settle();
  controller.abort();
  expect(run.call("b").signal.aborted).toBe(true);
  await settle();
  expect([run.calls.map(({ node }) => node), log.length]).toEqual([["a", "b"], 4]);
});

it("does not dispatch what was cancelled while its start was being recorded", async () => {
  const { log, record } = memoryJournal();
  const gate = Promise.withResolvers<void>();
  const controller = new AbortController();
  const journal = { record: (batch: readonly JournalEntry[]) => gate.promise.then(() => record(batch)) };
  const run = await startTestRun(graph({ a: [] }), { journal, signal: controller.signal });
  controller.abort();
  gate.resolve();
  expect(await run.finished).toMatchObject({ outcome: "cancelled" });
  expect([run.calls.length, log.map(({ to }) => to)]).toEqual([0, ["queued", "running", "cancelled"]]);
});

it("continues when a subscriber throws or rejects, says so, and tells the others all the same [DAG-27]", async () => {
  const errors: unknown[] = [];
  const listener = vi.fn(({ to }: NodeTransition) => {
    if (to === "queued") throw new Error("thrown");
    return to === "running" ? Promise.reject(new Error("rejected")) : undefined;
  });
  const onSubscriberError = (error: unknown) => {
    errors.push(error);
    throw new Error("and this one too");
  };
  const run = await startTestRun(graph({ start: [], a: ["start"], b: ["a"] }), { onSubscriberError });
  const others = vi.fn();
  run.subscribe(listener);
  run.subscribe(others);
  for (const node of ["start", "a", "b"]) {
    run.call(node).succeed();
    await settle();
  }
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
  expect([listener.mock.calls.length, others.mock.calls.length]).toEqual([7, 7]);
  expect(errors.map((error) => (error as Error).message)).toEqual(["thrown", "rejected", "thrown", "rejected"]);
});

it("tells every change exactly once, with dag, node, states, time and attempt, until one stops listening [DAG-7, DAG-26]", async () => {
  const { log, record } = memoryJournal();
  const run = await startTestRun(graph({ a: [], b: ["a"] }), { id: "dag-1", journal: { record } });
  const [heard, left]: [DagEvent[], DagEvent[]] = [[], []];
  run.subscribe((event) => {
    expect(log.some(({ node, to }) => node === event.node && to === event.to)).toBe(true); // only what is recorded
    heard.push(event);
  });
  const leave = run.subscribe((event) => void left.push(event));
  await run.pass(5);
  run.call("a").succeed();
  await settle();
  leave();
  leave();
  run.call("b").succeed();
  await run.finished;
  const at = run.clock.now();
  const facts = { dag: "dag-1", retries: 0, at };
  expect(heard).toEqual([
    { ...facts, node: "a", from: "running", to: "succeeded", attempt: 1, result: undefined },
    { ...facts, node: "b", from: "pending", to: "queued", attempt: 0 },
    { ...facts, node: "b", from: "queued", to: "running", attempt: 1 },
    { ...facts, node: "b", from: "running", to: "succeeded", attempt: 1, result: undefined },
  ]);
  expect(left).toEqual(heard.slice(0, 3));
});

it("stops with the journal's error, starts nothing more, and continues later from what was recorded", async () => {
  const dag = graph({ a: [], b: [], c: ["a"], d: ["b"] });
  const { log, record } = memoryJournal();
  const journal = {
    record: async (batch: readonly JournalEntry[]) => {
      if (transitionsOf(batch).some(({ node, to }) => node === "a" && to === "succeeded")) throw new Error("disk full");
      return record(batch);
    },
  };
  const run = await startTestRun(dag, { journal, abortGraceMs: 10 });
  let ended: unknown;
  run.finished.catch((error: unknown) => (ended = error));
  run.call("a").succeed();
  await run.pass(9);
  expect([run.call("b").signal.aborted, ended]).toEqual([true, undefined]);
  await run.pass(1);
  await expect(run.finished).rejects.toThrow("disk full");
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b"]);
  expect(run.clock.pendingTimers()).toBe(0);

  const second = await startTestRun(dag, { restored: foldLog(log) });
  expect(second.calls.map(({ node, attempt }) => [node, attempt])).toEqual([
    ["a", 2],
    ["b", 2],
  ]);
});

it("stops when the journal throws instead of rejecting", async () => {
  const record = () => {
    throw new Error("closed");
  };
  const run = await startTestRun(graph({ a: [] }), { journal: { record } });
  await expect(run.finished).rejects.toThrow("closed");
  expect(run.calls.length).toBe(0);
});

it("restores: what finished is not repeated, what ran continues as a new attempt that costs no retry", async () => {
  const restored = new Map<string, NodeRecord>([
    ["a", { state: "succeeded", attempt: 1, retries: 0, result: "kept" }],
    ["b", { state: "running", attempt: 3, retries: 1 }],
  ]);
  const dag = graph({ a: [], b: ["a"], c: ["b"] }, { defaultRetry: { max: 2, backoffMs: 0 } });
  const run = await startTestRun(dag, { restored });
  expect(run.log).toMatchObject([
    { node: "b", from: "running", to: "queued", attempt: 3, retries: 1, cause: "interrupted" },
    { node: "b", from: "queued", to: "running", attempt: 4, retries: 1 },
  ]);
  expect([...run.call("b").parents]).toEqual([["a", "kept"]]);
  run.call("b").fail(transient());
  await settle();
  run.call("b").fail(transient());
  const { nodes } = await run.finished;
  expect(nodes.get("b")).toMatchObject({ state: "failed", attempt: 5, retries: 2 });
});

it("restores a wait for a retry: the rest of it, and never more than was asked for", async () => {
  const error = { class: "rate-limit", message: "slow down", retryAfterMs: 40_000 } as const;
  const waiting = (retryAt: number): NodeRecord => ({ state: "queued", attempt: 1, retries: 1, error, retryAt });
  const now = 1_767_225_600_000;
  const restored = new Map([
    ["a", waiting(now + 5)],
    ["b", waiting(now - 5)],
    ["c", waiting(now + 86_400_000)],
  ]);
  const run = await startTestRun(graph({ a: [], b: [], c: [] }), { restored });
  expect(run.calls.map(({ node }) => node)).toEqual(["b"]);
  await run.pass(5);
  expect(run.calls.map(({ node }) => node)).toEqual(["b", "a"]);
  run.clock.advance(70_000);
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["b", "a", "c"]);
});

it("restores an ending that had begun", async () => {
  const failed: NodeRecord = { state: "failed", attempt: 1, retries: 0, error: { class: "permanent", message: "no" } };
  const running: NodeRecord = { state: "running", attempt: 1, retries: 0 };
  const shape = { a: [], b: [], c: ["b"], d: ["a"] };
  const fast = await startTestRun(graph(shape, { failFast: true }), {
    restored: new Map([
      ["a", failed],
      ["b", running],
    ]),
  });
  expect(await fast.finished).toMatchObject({ outcome: "failed" });
  expect(fast.news()).toBe("b:queued b:cancelled c:cancelled d:cancelled");

  const cancelled: NodeRecord = { state: "cancelled", attempt: 0, retries: 0, cause: "cancel-requested" };
  const ending = await startTestRun(graph(shape), {
    restored: new Map([
      ["c", cancelled],
      ["b", running],
    ]),
  });
  expect(await ending.finished).toMatchObject({ outcome: "cancelled" });
  expect(ending.calls.length).toBe(0);

  const slow = await startTestRun(graph(shape), { restored: new Map([["a", failed]]) });
  expect(slow.news()).toBe("b:queued d:skipped b:running");
});

it("gives the outcome of a run that had finished, without doing anything", async () => {
  const done: NodeRecord = { state: "succeeded", attempt: 1, retries: 0, result: 1 };
  const run = await startTestRun(graph({ a: [] }), { restored: new Map([["a", done]]) });
  expect(await run.finished).toEqual({ outcome: "succeeded", nodes: new Map([["a", done]]) });
  expect([run.calls.length, run.log.length]).toEqual([0, 0]);
});

it("refuses records of another graph before anything runs", async () => {
  const record: NodeRecord = { state: "running", attempt: 1, retries: 0 };
  const start = (id: string) => startTestRun(graph({ a: [], b: ["a"] }), { restored: new Map([[id, record]]) });
  await expect(start("ghost")).rejects.toThrow('"ghost" is not in it');
  await expect(start("b")).rejects.toThrow('"b" is running, although a dependency has not succeeded');
});

it("refuses an invalid graph or an unknown role before anything runs [DAG-9]", async () => {
  const dispatch = vi.fn();
  const { log, record } = memoryJournal();
  const run = (dag: ReturnType<typeof graph>, roles: readonly string[]) =>
    runDag({
      dag,
      roles: new Set(roles),
      journal: { record },
      dispatch,
      random: () => 0,
      clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) },
      signal: new AbortController().signal,
    });
  await expect(run(graph({ a: [], b: ["ghost"] }), ["engineer"])).rejects.toThrow('"b" depends on "ghost"');
  await expect(run(graph({ a: [], b: ["a"] }), ["tester"])).rejects.toThrow('unknown role "engineer"');
  expect([dispatch.mock.calls.length, log.length]).toEqual([0, 0]);
});

it("pauses: what runs may finish, nothing starts until it continues", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"] }));
  run.pause("finish");
  run.call("a").succeed();
  await run.pass(50);
  expect([run.call("a").signal.aborted, run.calls.length]).toEqual([false, 1]);
  run.unpause();
  await settle();
  run.call("b").succeed();
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("pauses at once: what runs is stopped and done again, unless it got done, and no retry is used up", async () => {
  const run = await startTestRun(graph({ a: [], b: [] }, { failFast: true }));
  run.pause("abort");
  await settle();
  expect(run.calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  run.call("a").fail(run.call("a").signal.reason);
  run.call("b").succeed("done all the same");
  await run.pass(10);
  expect(run.log.slice(4)).toMatchObject([
    { node: "a", from: "running", to: "queued", cause: "interrupted", retries: 0 },
    { node: "b", to: "succeeded", result: "done all the same" },
  ]);
  run.unpause();
  await settle();
  expect(run.call("a").attempt).toBe(2);
});

it("can be cancelled while it is paused", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"] }));
  run.pause("abort");
  run.cancel();
  run.call("a").fail(new Error("stopped"));
  expect(await run.finished).toMatchObject({ outcome: "cancelled" });
});
