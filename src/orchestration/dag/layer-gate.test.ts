import { expect, it } from "vitest";
import { Blocked, NodeFailure } from "./node-outcomes.ts";
import { graph, nodeOf, settle, startTestRun } from "./testkit.ts";

const shape = { a: [], b: [], c: ["a"], d: ["c"] };
const layered = { mode: "layered" } as const;

it("starts no node of a layer before the layers above have ended, and eagerly does [DAG-11]", async () => {
  const run = await startTestRun(graph(shape, layered));
  const eager = await startTestRun(graph(shape));
  run.call("a").succeed();
  eager.call("a").succeed();
  await settle();
  expect([run.calls, eager.calls].map((calls) => calls.map(({ node }) => node).join(""))).toEqual(["ab", "abc"]);
  run.call("b").fail(new NodeFailure({ class: "permanent", message: "no" }));
  await settle();
  run.call("c").succeed();
  await settle();
  run.call("d").succeed();
  expect(await run.finished).toMatchObject({ outcome: "failed" });
});

it("waits at the gate for a blocked node, and closes the gate again for a retry", async () => {
  const run = await startTestRun(graph(shape, layered));
  run.call("a").succeed();
  run.call("b").fail(new Blocked({ on: "approval", question: "?" }));
  await settle();
  expect(run.calls.length).toBe(2);
  await run.unblock("b");
  run.call("b").fail(new NodeFailure({ class: "permanent", message: "no" }));
  await settle();
  await run.retry("b");
  run.call("c").succeed();
  await settle();
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "b", "b", "c", "b"]);
  run.call("b").succeed();
  await settle();
  expect(run.call("d").attempt).toBe(1);
});

it("lays the graph out again after an adjustment", async () => {
  const run = await startTestRun(graph({ a: [], b: ["a"], c: ["b"] }, layered));
  await run.adjust(
    { add: [nodeOf("late"), nodeOf("x", ["late"])], replace: [nodeOf("b", ["x"])] },
    { expectedVersion: 1 },
  );
  for (const node of ["a", "late", "x", "b", "c"]) {
    run.call(node).succeed();
    await settle();
  }
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
  expect(run.calls.map(({ node }) => node)).toEqual(["a", "late", "x", "b", "c"]);
});
