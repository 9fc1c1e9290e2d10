import { expect, it } from "vitest";
import type { NodeRecord } from "./dag.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { foldLog, graph, settle, startTestRun } from "./testkit.ts";

const permanent = () => new NodeFailure({ class: "permanent", message: "no such file" });
const states = (nodes: ReadonlyMap<string, NodeRecord>) =>
  [...nodes].map(([id, { state }]) => `${id}:${state}`).join(" ");

it("retries a failed node on request, with everything that was skipped because of it and its whole budget [DAG-6]", async () => {
  const dag = graph({ a: [], b: ["a"], c: ["b", "other"], other: [], long: [] });
  const run = await startTestRun(dag);
  run.call("other").succeed();
  run.call("a").fail(permanent());
  await settle();
  run.news();
  await run.retry("a");
  expect(run.news()).toBe("b:pending c:pending a:pending a:queued a:running");
  expect(run.call("a").attempt).toBe(2);
  for (const node of ["a", "b", "c"]) {
    run.call(node).succeed();
    await settle();
  }
  run.call("long").succeed();
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("a")]).toMatchObject(["succeeded", { attempt: 2, retries: 0 }]);
});

it("leaves skipped what another failure or a person holds back", async () => {
  const run = await startTestRun(graph({ a: [], b: [], both: ["a", "b"], asked: ["a"], below: ["asked"], long: [] }));
  await run.skip("asked", "not needed");
  run.call("a").fail(permanent());
  run.call("b").fail(permanent());
  await settle();
  await run.retry("a");
  expect(states(run.status().nodes)).toBe("a:running b:failed both:skipped asked:skipped below:skipped long:running");
  await run.retry("b");
  expect(run.status().nodes.get("both")?.state).toBe("pending");
  await run.retry("asked");
  expect(run.status().nodes.get("below")).toMatchObject({ state: "pending", cause: "retry-requested" });
});

it("skips a node that waits, and what depends on it with the cause", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b"], d: ["a"] }, { maxConcurrency: 1 }));
  await run.skip("b", "out of scope");
  run.call("a").succeed();
  await settle();
  run.call("d").succeed();
  const { outcome, nodes } = await run.finished;
  expect(outcome).toBe("succeeded");
  expect([nodes.get("b"), nodes.get("c")]).toEqual([
    { state: "skipped", attempt: 0, retries: 0, cause: "skip-requested", reason: "out of scope" },
    { state: "skipped", attempt: 0, retries: 0, cause: "skipped:b" },
  ]);
});

it("continues without the result of a skipped node that counts as done, failed ones included", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b"], x: [], y: ["x", "a"] }));
  run.call("a").succeed("of a");
  run.call("x").fail(permanent());
  await settle();
  expect(run.status().nodes.get("y")?.state).toBe("skipped");
  await run.skip("x", "flaky", { treatAsDone: true });
  expect([...run.call("y").parents]).toEqual([["a", "of a"]]);
  run.call("y").succeed();
  run.call("b").succeed();
  await settle();
  run.call("c").succeed();
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("x")]).toMatchObject([
    "succeeded",
    { state: "skipped", treatedAsDone: true, reason: "flaky" },
  ]);
});

it("restores a node that counts as done, and one that was skipped before its consequences were recorded", async () => {
  const skipped: NodeRecord = { state: "skipped", attempt: 0, retries: 0, cause: "skip-requested" };
  const dag = graph({ a: [], b: ["a"] });
  const done = await startTestRun(dag, { restored: new Map([["a", { ...skipped, treatedAsDone: true }]]) });
  expect(done.news()).toBe("b:queued b:running");
  const cut = await startTestRun(dag, { restored: new Map([["a", skipped]]) });
  expect(cut.log).toMatchObject([{ node: "b", to: "skipped", cause: "skipped:a" }]);
});

it("takes up a run that fail-fast had ended: the failed node and everything that was cancelled", async () => {
  const dag = graph({ a: [], b: ["a"], c: [], d: ["c"] }, { failFast: true });
  const first = await startTestRun(dag);
  first.call("c").succeed();
  await settle();
  first.call("a").fail(permanent());
  first.call("d").fail(new Error("stopped"));
  expect(await first.finished).toMatchObject({ outcome: "failed" });
  const second = await startTestRun(dag, { restored: foldLog(first.log), retry: ["a"] });
  expect(second.calls.map(({ node, attempt }) => [node, attempt])).toEqual([
    ["a", 2],
    ["d", 2],
  ]);
  second.call("a").succeed();
  second.call("d").succeed();
  await settle();
  second.call("b").succeed();
  expect(await second.finished).toMatchObject({ outcome: "succeeded" });
});

it("takes up a run that a person had cancelled, as a whole, and once", async () => {
  const dag = graph({ a: [], b: ["a"], c: [] });
  const first = await startTestRun(dag);
  first.call("c").fail(permanent());
  await settle();
  first.cancel("lunch");
  first.call("a").fail(new Error("stopped"));
  const { outcome, nodes } = await first.finished;
  expect([outcome, nodes.get("b")]).toMatchObject(["cancelled", { cause: "cancel-requested", reason: "lunch" }]);
  const second = await startTestRun(dag, { restored: foldLog(first.log), retry: ["c", "b"] });
  expect(second.calls.map(({ node }) => node)).toEqual(["a", "c"]);
  const third = await startTestRun(dag, { restored: foldLog([...first.log, ...second.log]), retry: ["c", "b"] });
  expect(third.calls.map(({ node, attempt }) => [node, attempt])).toEqual([
    ["a", 3],
    ["c", 3],
  ]);
});

it("refuses what cannot be done and says the way out; nothing changes", async () => {
  const run = await startTestRun(graph({ build: [], test: ["build"], lint: [], ship: ["test", "lint"] }));
  run.call("lint").fail(permanent());
  await settle();
  const before = run.status();
  const expectRefusal = async (request: Promise<unknown>, reason: string, message: string) => {
    const error: unknown = await request.catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "DagRefusal", reason });
    expect((error as Error).message).toContain(message);
  };
  const unknown = 'no node of this graph has the id "buil"; did you mean build?';
  await expectRefusal(run.retry("buil"), "unknown-node", unknown);
  await expectRefusal(
    run.retry("build"),
    "wrong-state",
    '"build" is running; only a node that has ended can be retried',
  );
  await expectRefusal(run.retry("ship"), "wrong-state", '"ship" depends on "lint", which is failed; retry that');
  await expectRefusal(run.skip("build", ""), "wrong-state", "only a waiting or failed node can be skipped");
  await expectRefusal(run.unblock("test"), "wrong-state", '"test" is pending; only a blocked node can be answered');
  await expectRefusal(run.adjust({}, { expectedVersion: 7 }), "stale-version", "is at version 1, not 7; read it again");
  expect(run.status()).toEqual(before);
  run.cancel();
  await expect(run.retry("lint")).rejects.toMatchObject({ reason: "run-ending" });
  run.call("build").fail(new Error("stopped"));
  await run.finished;
  await expect(run.retry("lint")).rejects.toMatchObject({ reason: "run-ended" });
});

it("refuses to retry what succeeded or counts as done", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b"] }));
  await run.skip("b", "not today", { treatAsDone: true });
  await expect(run.retry("b")).rejects.toThrow("was skipped as done");
  run.call("a").succeed();
  await settle();
  await expect(run.retry("a")).rejects.toThrow("has succeeded");
});

it("answers a request only once it is recorded, and fails it with the journal", async () => {
  const gate = Promise.withResolvers<void>();
  let writes = 0;
  const journal = { record: () => (++writes === 1 ? Promise.resolve() : gate.promise) };
  const run = await startTestRun(graph({ a: [], b: ["a"] }), { journal, abortGraceMs: 0 });
  let answer: unknown = "none";
  const asked = run.skip("b", "").catch((error: unknown) => (answer = error));
  await settle();
  expect(answer).toBe("none");
  gate.reject(new Error("disk full"));
  await run.pass(1);
  await asked;
  expect(answer).toMatchObject({ message: "disk full" });
  await expect(run.finished).rejects.toThrow("disk full");
});

it("starts a skipped node's later retry once, although its old place in the queue is still there", async () => {
  const run = await startTestRun(
    graph({ a: [], b: [], c: [] }, { maxConcurrency: 1, defaultRetry: { max: 2, backoffMs: 40 } }),
  );
  await run.skip("b", "");
  await run.retry("b");
  run.call("a").fail(new NodeFailure({ class: "transient", message: "later" }));
  await settle();
  await run.skip("a", "");
  await run.retry("a"); // its timer of before must not count for the next wait
  run.call("b").succeed();
  await settle();
  run.call("a").fail(new NodeFailure({ class: "transient", message: "later" }));
  await run.pass(39);
  run.call("c").succeed();
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b", "a", "c"]);
  await run.pass(1);
  expect(run.calls.length).toBe(5);
});
