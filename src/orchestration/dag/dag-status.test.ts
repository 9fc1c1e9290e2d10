import { expect, it } from "vitest";
import { Blocked, NodeFailure } from "./node-outcomes.ts";
import { graph, nodeOf, policy, settle, startTestRun } from "./testkit.ts";

it("shows nodes, edges, execution order and policy of a graph [DAG-1, DAG-3]", async () => {
  const dag = graph({ test: ["api", "ui"], ui: ["base"], api: ["base", "base"], base: [] });
  const run = await startTestRun(dag);
  expect(run.plan()).toEqual({
    version: 1,
    nodes: dag.nodes,
    edges: [
      { from: "api", to: "test" },
      { from: "ui", to: "test" },
      { from: "base", to: "ui" },
      { from: "base", to: "api" },
    ],
    layers: [["base"], ["ui", "api"], ["test"]],
    policy,
  });
});

it("obeys its policy: slots, fail-fast and the retry of nodes that name none [DAG-4]", async () => {
  const nodes = [nodeOf("a", [], { retry: { max: 0, backoffMs: 0 } }), nodeOf("b"), nodeOf("c")];
  const terms = { ...policy, maxConcurrency: 2, failFast: true, defaultRetry: { max: 1, backoffMs: 0 } };
  const run = await startTestRun({ nodes, policy: terms });
  const transient = new NodeFailure({ class: "transient", message: "later" });
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b"]);
  run.call("b").fail(transient);
  await settle();
  expect(run.calls.map(({ node, attempt }) => [node, attempt]).slice(2)).toEqual([["b", 2]]);
  run.call("a").fail(transient);
  run.call("b").fail(transient);
  const { outcome, nodes: ended } = await run.finished;
  expect([outcome, ended.get("c")]).toMatchObject(["failed", { state: "cancelled", cause: "failed:a" }]);
});

it("says the state of every node, the counts and how far it is [DAG-26]", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b"], d: ["c"] }));
  expect(run.status()).toMatchObject({ phase: "running", version: 1, progress: 0, etaMs: "unknown" });
  run.call("a").succeed("done");
  await settle();
  const { nodes, counts, progress } = run.status();
  expect([progress, counts.succeeded, counts.running, counts.pending]).toEqual([0.25, 1, 1, 2]);
  expect([...nodes].slice(0, 2)).toEqual([
    ["a", { state: "succeeded", attempt: 1, retries: 0, result: "done" }],
    ["b", { state: "running", attempt: 1, retries: 0 }],
  ]);
  run.pause("finish");
  expect(run.status().phase).toBe("paused");
  run.cancel();
  expect(run.status().phase).toBe("ending");
  run.call("b").fail(new Error("stopped"));
  await run.finished;
  expect(run.status()).toMatchObject({ phase: "finished", progress: 1, etaMs: 0 });
});

it("estimates by the longest open path over the averages of the roles, and says unknown before two samples of each", async () => {
  const nodes = [
    nodeOf("a1"),
    nodeOf("a2", ["a1"]),
    nodeOf("a3", ["a2"]),
    nodeOf("b1", [], { role: "tester" }),
    nodeOf("b2", ["b1"], { role: "tester" }),
    nodeOf("b3", ["b2", "a3"], { role: "tester" }),
  ];
  const run = await startTestRun({ nodes, policy });
  const finishAfter = async (ms: number, ...done: string[]) => {
    await run.pass(ms);
    for (const node of done) run.call(node).succeed();
    await settle();
  };
  await finishAfter(100, "a1", "b1");
  expect(run.status().etaMs).toBe("unknown");
  await finishAfter(200, "a2");
  expect(run.status().etaMs).toBe("unknown"); // one sample of the tester
  await finishAfter(100, "b2");
  // engineers took 150 on average and a3 runs for 100; testers took 200: 50 + 200
  expect(run.status().etaMs).toBe(250);
  await run.pass(100);
  expect(run.status().etaMs).toBe(200); // a3 takes longer than usual: nothing is left of it, never less
  run.call("a3").fail(new Blocked({ on: "approval", question: "?" }));
  await settle();
  expect(run.status().etaMs).toBe("unknown"); // a person decides how long
});

it("counts the work of all slots, not only the longest path", async () => {
  const wide = Array.from({ length: 10 }, (_, index) => nodeOf(`n${index}`));
  const run = await startTestRun({ nodes: wide, policy: { ...policy, maxConcurrency: 2 } });
  await run.pass(100);
  run.call("n0").succeed();
  run.call("n1").succeed();
  await settle();
  expect(run.status().etaMs).toBe(400);
  run.pause("finish");
  expect(run.status().etaMs).toBe("unknown");
});

it("estimates after a restart by the times of what an earlier life got done", async () => {
  const dag = graph({ a: [], b: ["a"], c: ["b"], d: ["c"] });
  const done = { state: "succeeded", attempt: 1, retries: 0 } as const;
  const restored = new Map([
    ["a", done],
    ["b", done],
  ]);
  const took = new Map([
    ["a", 100],
    ["b", 300],
  ]);
  const run = await startTestRun(dag, { restored, took });
  expect(run.status().etaMs).toBe(400);
  expect((await startTestRun(dag, { restored })).status().etaMs).toBe("unknown");
});
