import { expect, it } from "vitest";
import type { Dispatch } from "./attempts.ts";
import type { JournalEntry } from "./dag-run.ts";
import { succeedWith } from "./node-outcomes.ts";
import { foldEntries, nodeOf, policy, settle, startTestRun } from "./testkit.ts";

it("gives a node its own context and those of its completed dependencies [DAG-2, DAG-19]", async () => {
  const nodes = [
    nodeOf("api", [], { context: { port: 80 }, metadata: { owner: "ada" } }),
    nodeOf("plain"),
    nodeOf("passed", ["plain"], { context: { never: true } }),
    nodeOf("end", ["api", "plain", "passed"], { context: { own: 1 } }),
  ];
  const received: Parameters<Dispatch>[] = [];
  const dispatch: Dispatch = async (...call) => void received.push(call);
  const run = await startTestRun({ nodes, policy }, { dispatch, paused: true });
  await run.skip("passed", "not needed", { treatAsDone: true });
  run.unpause();
  await run.finished;
  const [node, { parents, parentContexts }] = received.at(-1)!;
  expect(node).toEqual(nodes[3]);
  expect([...parents.keys()]).toEqual(["api", "plain"]);
  expect([...parentContexts]).toEqual([
    ["api", { port: 80 }],
    ["plain", {}],
  ]);
  expect(run.plan().nodes[0]).toEqual({
    id: "api",
    role: "engineer",
    title: "Title of api",
    prompt: "Do api",
    dependsOn: [],
    context: { port: 80 },
    metadata: { owner: "ada" },
  });
});

it("lets children address the artifacts of their parents by node and name [DAG-20]", async () => {
  const run = await startTestRun({ nodes: [nodeOf("a/b"), nodeOf("a"), nodeOf("end", ["a", "a/b"])], policy });
  run.call("a").succeed({ artifacts: { "b/log": "from a", constructorless: 0 } });
  run.call("a/b").succeed({ artifacts: { report: { path: "out/report.html" } } });
  await settle();
  const { artifact, fail } = run.call("end");
  expect([artifact("a/b/report"), artifact("a/b/log"), artifact("a/constructorless")]).toEqual([
    { path: "out/report.html" },
    "from a",
    0,
  ]);
  for (const nobodys of ["a/constructor", "z/b/log", "c/d/report"])
    expect(() => artifact(nobodys)).toThrow(`no artifact "${nobodys}"`);
  let thrown: unknown;
  try {
    artifact("a/report");
  } catch (error) {
    thrown = error;
  }
  fail(thrown);
  const { nodes } = await run.finished;
  expect(nodes.get("end")?.error).toEqual({
    class: "permanent",
    message: 'no artifact "a/report"; known: a/b/log, a/constructorless, a/b/report',
  });
});

it.each([undefined, null, 7, "artifacts", { artifacts: "none" }, []])("finds no artifact in %o", async (result) => {
  const run = await startTestRun({ nodes: [nodeOf("a"), nodeOf("end", ["a"])], policy });
  run.call("a").succeed(result);
  await settle();
  expect(() => run.call("end").artifact("a/x")).toThrow('no artifact "a/x"; its dependencies have none');
});

it("gives every node the session's context [DAG-21]", async () => {
  const session = { branch: "main" };
  const run = await startTestRun({ nodes: [nodeOf("a"), nodeOf("b", ["a"])], policy }, { session });
  run.call("a").succeed();
  await settle();
  expect(run.calls.map((call) => call.session)).toEqual([session, session]);
});

it("gives a restored run's nodes what they would have had: results, contexts, artifacts, answers, session", async () => {
  const dag = { nodes: [nodeOf("plan", [], { context: { goal: "ship", budget: 3 } })], policy };
  const entries: JournalEntry[] = [];
  const journal = { record: async (batch: readonly JournalEntry[]) => void entries.push(...batch) };
  const session = { branch: "main" };
  const first = await startTestRun(dag, { journal, session });
  const added = nodeOf("build", ["plan"], { context: { target: "linux" } });
  const end = nodeOf("end", ["build"], { final: true });
  const result = { artifacts: { outline: "1, 2" }, context: { goal: "ship it" } };
  first.call("plan").succeed(succeedWith(result, { add: [added, end] }));
  await settle();
  const kept = () => foldEntries(dag, JSON.parse(JSON.stringify(entries)) as JournalEntry[]);
  const second = await startTestRun(dag, { ...kept(), journal, session });
  for (const run of [first, second]) {
    const { parents, parentContexts, artifact, session: given } = run.call("build");
    expect([...parents]).toEqual([["plan", result]]);
    expect([...parentContexts]).toEqual([["plan", { goal: "ship it", budget: 3 }]]);
    expect([artifact("plan/outline"), given]).toEqual(["1, 2", session]);
  }
  second.call("build").succeed({ text: "built" });
  await settle();
  const third = await startTestRun(dag, { ...kept(), session });
  const { parents, parentContexts, ended, session: given } = third.call("end");
  expect([[...parents], [...parentContexts], given]).toEqual([
    [["build", { text: "built" }]],
    [["build", { target: "linux" }]],
    session,
  ]);
  expect([ended?.outcome, ended?.nodes.get("plan")?.result]).toEqual(["succeeded", result]);
});
