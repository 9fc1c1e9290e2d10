import { expect, it } from "vitest";
import type { Dag, DagNode, DagPolicy } from "./dag.ts";
import { Blocked, NodeFailure, succeedWith } from "./node-outcomes.ts";
import { foldLog, nodeOf, policy, settle, startTestRun, type TestRun } from "./testkit.ts";
import { validateDag } from "./validate-dag.ts";

const failure = (kind: "permanent" | "user-fixable" | "transient" = "permanent") =>
  new NodeFailure({ class: kind, message: "no" });
const last = (id: string, dependsOn: readonly string[] = [], more: Partial<DagNode> = {}) =>
  nodeOf(id, dependsOn, { ...more, final: true });
const dagOf = (nodes: readonly DagNode[], changed: Partial<DagPolicy> = {}): Dag => ({
  nodes,
  policy: { ...policy, ...changed },
});
/** `end` needs the result of `a`, `after` runs after `end`. */
const both = [last("after", ["end"]), last("end", ["a"]), nodeOf("a"), nodeOf("b", ["a"])];

async function answer(run: TestRun, node: string, how: "succeed" | "fail", what: unknown = node): Promise<void> {
  run.call(node)[how](what);
  await settle();
}

const callsOf = (run: TestRun) => run.calls.map(({ node }) => node).join(" ");

it("runs final nodes when every other node has ended, each after the final nodes it depends on", async () => {
  const run = await startTestRun(dagOf(both));
  await answer(run, "a", "succeed");
  expect(callsOf(run)).toBe("a b");
  await answer(run, "b", "succeed");
  await answer(run, "end", "succeed");
  await answer(run, "after", "succeed");
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
  expect(callsOf(run)).toBe("a b end after");
});

it.each([true, false])(
  "runs them after a failure, and tells them how every node ended (fail-fast: %s)",
  async (failFast) => {
    const run = await startTestRun(dagOf(both, { failFast }));
    await answer(run, "a", "fail", failure());
    expect(callsOf(run)).toBe("a end");
    const { ended, parents } = run.call("end");
    const below = failFast ? { state: "cancelled" } : { state: "skipped", cause: "failed:a" };
    expect([parents.size, ended?.outcome]).toEqual([0, "failed"]);
    expect(Object.fromEntries(ended?.nodes ?? [])).toMatchObject({
      a: { state: "failed", error: { class: "permanent", message: "no" } },
      b: below,
      after: { state: "pending" },
    });
    await answer(run, "end", "fail", failure());
    expect(run.call("after").ended?.nodes.get("end")?.state).toBe("failed");
    await answer(run, "after", "succeed");
    expect(await run.finished).toMatchObject({ outcome: "failed" });
  },
);

it("gives ordinary nodes nothing of that", async () => {
  const run = await startTestRun(dagOf(both));
  expect(run.call("a").ended).toBeUndefined();
});

it("runs them after a cancellation, once the others have stopped, and ends cancelled whatever they do", async () => {
  const run = await startTestRun(dagOf(both), { abortGraceMs: 5 });
  run.cancel("enough");
  await run.pass(4);
  expect(callsOf(run)).toBe("a");
  await run.pass(1);
  expect(callsOf(run)).toBe("a end");
  expect(run.call("end").ended).toMatchObject({ outcome: "cancelled" });
  await answer(run, "end", "fail", failure());
  await answer(run, "after", "succeed");
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("a")]).toMatchObject(["cancelled", { state: "cancelled", reason: "enough" }]);
});

it("runs them when the run was cancelled before it began, or while it was paused", async () => {
  const nodes = [nodeOf("a"), last("end")];
  const aborted = await startTestRun(dagOf(nodes), { signal: AbortSignal.abort() });
  await answer(aborted, "end", "succeed");
  expect(await aborted.finished).toMatchObject({ outcome: "cancelled" });
  const paused = await startTestRun(dagOf(nodes), { paused: true });
  paused.cancel();
  await settle();
  await answer(paused, "end", "succeed");
  expect(await paused.finished).toMatchObject({ outcome: "cancelled" });
});

it("lets a final node finish that runs when the run is cancelled, and ends one that is blocked", async () => {
  const run = await startTestRun(dagOf([last("ask"), last("work")]));
  await answer(run, "ask", "fail", new Blocked({ on: "approval", question: "publish?" }));
  run.cancel("no");
  await settle();
  expect([run.call("work").signal.aborted, run.status().nodes.get("ask")?.state]).toEqual([false, "cancelled"]);
  await answer(run, "work", "succeed");
  expect(await run.finished).toMatchObject({ outcome: "cancelled" });
});

it("ends failed when a final node fails, after it was retried and answered like any other node", async () => {
  const retry = { max: 1, backoffMs: 4 };
  const run = await startTestRun(dagOf([nodeOf("a"), last("end", [], { retry })], { failFast: true }));
  await answer(run, "a", "succeed");
  await answer(run, "end", "fail", new Blocked({ on: "clarification", question: "which?" }));
  expect(run.status().phase).toBe("waiting");
  await run.unblock("end", "this");
  expect(run.call("end").answer).toBe("this");
  await answer(run, "end", "fail", failure("transient"));
  await run.pass(4);
  expect(run.call("end").attempt).toBe(3);
  await answer(run, "end", "fail", failure("transient"));
  expect(await run.finished).toMatchObject({ outcome: "failed" });
});

it("pauses them like other nodes", async () => {
  const run = await startTestRun(dagOf(both.slice(1)));
  await answer(run, "a", "succeed");
  run.pause("finish");
  await answer(run, "b", "succeed");
  expect([callsOf(run), run.status().phase]).toEqual(["a b", "paused"]);
  run.unpause();
  await settle();
  run.pause("abort");
  await answer(run, "end", "fail", new Error("stopped"));
  expect(run.status().nodes.get("end")).toMatchObject({ state: "queued", cause: "interrupted" });
  run.unpause();
  await settle();
  await answer(run, "end", "succeed");
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("skips a final node only on request", async () => {
  const run = await startTestRun(dagOf(both));
  await run.skip("end", "not today");
  await answer(run, "a", "fail", failure());
  await answer(run, "after", "succeed");
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("end")?.state]).toEqual(["failed", "skipped"]);
});

it("refuses an ordinary node that depends on a final one, in a graph and in an adjustment", async () => {
  const message =
    '"b" depends on the final node "end", which runs after it; make "b" final as well, or remove the dependency';
  const problem = { type: "final", message, nodes: ["b", "end"] };
  expect(validateDag(dagOf([last("end"), nodeOf("b", ["end"])]))).toEqual({ valid: false, problems: [problem] });
  const run = await startTestRun(dagOf([nodeOf("a"), nodeOf("c"), last("end")], { maxConcurrency: 1 }));
  const adjusted = run.adjust({ add: [nodeOf("b", ["end"])] }, { expectedVersion: 1 });
  await expect(adjusted).rejects.toMatchObject({ problems: [problem] });
  await expect(run.adjust({ replace: [last("c")] }, { expectedVersion: 1 })).rejects.toThrow(
    '"c" is an ordinary node and cannot become a final one',
  );
  await expect(run.adjust({ replace: [nodeOf("end")] }, { expectedVersion: 1 })).rejects.toThrow(
    '"end" is a final node and cannot become an ordinary one',
  );
});

it("changes the graph until a final node has started: adds nodes, gives a final node further dependencies", async () => {
  const run = await startTestRun(dagOf([nodeOf("a"), last("end")]));
  run.pause("finish");
  await answer(run, "a", "succeed");
  await run.adjust({ add: [nodeOf("b")], replace: [last("end", ["b"])] }, { expectedVersion: 1 });
  run.unpause();
  await settle();
  await answer(run, "b", "succeed", "of b");
  expect([...run.call("end").parents]).toEqual([["b", "of b"]]);
  for (const adjustment of [{ add: [nodeOf("c")] }, { add: [last("more")] }])
    await expect(run.adjust(adjustment, { expectedVersion: 2 })).rejects.toThrow("a final node has started");
  await answer(run, "end", "succeed", succeedWith("done", { add: [nodeOf("c")] }));
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("end")?.error?.message]).toEqual([
    "failed",
    "its adjustment was refused: a final node has started, so the graph cannot change; start a new run",
  ]);
});

it("refuses to retry or skip an ordinary node while final nodes run", async () => {
  const run = await startTestRun(dagOf(both));
  await answer(run, "a", "fail", failure());
  await expect(run.retry("a")).rejects.toMatchObject({ reason: "run-ending" });
  await expect(run.skip("a", "never mind")).rejects.toThrow("final nodes run");
});

async function ended(): Promise<Pick<TestRun, "log">> {
  const run = await startTestRun(dagOf(both));
  await answer(run, "a", "fail", failure("user-fixable"));
  await answer(run, "end", "fail", failure("user-fixable"));
  await answer(run, "after", "succeed");
  await run.finished;
  return run;
}

it("runs the final nodes again after the nodes of an ended run that are retried, and then may grow", async () => {
  const { log } = await ended();
  const run = await startTestRun(dagOf(both), { restored: foldLog(log), retry: ["a"] });
  expect(run.news()).toBe("after:pending end:pending b:pending a:pending a:queued a:running");
  await answer(run, "a", "succeed", succeedWith("ok", { add: [nodeOf("more", ["a"])] }));
  for (const node of ["b", "more", "end", "after"]) await answer(run, node, "succeed");
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.get("end"), nodes.get("more")]).toMatchObject(["succeeded", { attempt: 2 }, { attempt: 1 }]);
});

it.each(["end", "after"])(
  "runs only the final node %s when only that is retried, failed or succeeded",
  async (node) => {
    const { log } = await ended();
    const run = await startTestRun(dagOf(both), { restored: foldLog(log), retry: [node] });
    expect(run.news()).toBe(`${node}:pending ${node}:queued ${node}:running`);
    await answer(run, node, "succeed");
    expect(await run.finished).toMatchObject({ outcome: "failed" });
    expect(callsOf(run)).toBe(node);
  },
);

it("restores final nodes that were under way, and refuses records that put them before the others", async () => {
  const restored = new Map([
    ["a", { state: "succeeded", attempt: 1, retries: 0 }],
    ["end", { state: "running", attempt: 1, retries: 0 }],
  ] as const);
  const run = await startTestRun(dagOf([nodeOf("a"), last("end")]), { restored });
  expect([run.call("end").attempt, callsOf(run)]).toEqual([2, "end"]);
  await expect(startTestRun(dagOf([nodeOf("a"), nodeOf("b"), last("end")]), { restored })).rejects.toThrow(
    '"end" is running, although an ordinary node has not ended',
  );
});

it("has them in the last layers, in the plan and in layered mode, and in the estimate", async () => {
  const nodes = [last("after", ["end"]), last("end"), ...["a", "b", "c"].map((id) => nodeOf(id)), nodeOf("d", ["a"])];
  const run = await startTestRun(dagOf(nodes, { mode: "layered", maxConcurrency: 2 }));
  expect(run.plan().layers).toEqual([["a", "b", "c"], ["d"], ["end"], ["after"]]);
  await run.pass(10);
  await answer(run, "a", "succeed");
  await answer(run, "b", "succeed");
  expect(run.status().etaMs).toBe(30); // c beside d, then end, then after: each 10 ms
  await answer(run, "c", "succeed");
  for (const node of ["d", "end", "after"]) await answer(run, node, "succeed");
  expect(callsOf(run)).toBe("a b c d end after");
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});
