/** Attempts that break down under their dispatcher, such as a worker that died. */
import { describe, expect, it } from "vitest";
import type { NodeRecord } from "./dag.ts";
import { Blocked, Interrupted, NodeFailure } from "./node-outcomes.ts";
import { foldLog, graph, startTestRun, type TestRun } from "./testkit.ts";

const died = () => new Interrupted("its worker ended");

async function breakDown(run: TestRun, node: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    run.call(node).fail(died());
    await run.pass(0);
  }
}
const recordIn = (run: TestRun, node: string): NodeRecord => run.status().nodes.get(node)!;

describe("an attempt that is interrupted", () => {
  it("is queued again at once with that cause, and is not among the retries", async () => {
    const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 1, backoffMs: 100 } }));
    await breakDown(run, "a", 1);
    expect(run.log.find(({ from }) => from === "running")).toMatchObject({
      to: "queued",
      cause: "interrupted",
      retries: 0,
      interruptions: 1,
    });
    expect(recordIn(run, "a")).toMatchObject({ state: "running", attempt: 2, retries: 0 });
    run.call("a").fail(new NodeFailure({ class: "transient", message: "no" }));
    await run.pass(100);
    expect(recordIn(run, "a"), "its one retry is left").toMatchObject({ state: "running", attempt: 3, retries: 1 });
    run.call("a").succeed();
    expect((await run.finished).outcome).toBe("succeeded");
  });

  it("fails its node the third time, whatever the retries, and says how often", async () => {
    const run = await startTestRun(graph({ a: [], b: ["a"] }, { defaultRetry: { max: 9, backoffMs: 1 } }));
    await breakDown(run, "a", 2);
    expect(recordIn(run, "a").state).toBe("running");
    await breakDown(run, "a", 1);
    const { nodes } = await run.finished;
    expect(nodes.get("a")).toMatchObject({
      state: "failed",
      attempt: 3,
      retries: 0,
      error: { class: "transient", message: "its worker ended, 3 times" },
    });
    expect(nodes.get("b")).toMatchObject({ state: "skipped", cause: "failed:a" });
    expect(run.calls).toHaveLength(3);
  });

  it("is counted over failures, questions and answers in between", async () => {
    const run = await startTestRun(graph({ a: [] }, { defaultRetry: { max: 1, backoffMs: 1 } }));
    await breakDown(run, "a", 1);
    run.call("a").fail(new NodeFailure({ class: "transient", message: "no" }));
    await run.pass(2);
    await breakDown(run, "a", 1);
    run.call("a").fail(new Blocked({ on: "clarification", question: "which?" }));
    await run.pass(0);
    await run.unblock("a", "this");
    await run.pass(0);
    expect(recordIn(run, "a")).toMatchObject({ state: "running", interruptions: 2 });
    await breakDown(run, "a", 1);
    expect((await run.finished).nodes.get("a")?.state).toBe("failed");
  });

  it("is counted over a restart, which itself does not count", async () => {
    const dag = graph({ a: [] });
    const first = await startTestRun(dag);
    await breakDown(first, "a", 2);
    for (const recorded of [first.log.slice(0, -1), first.log]) {
      const second = await startTestRun(dag, { restored: foldLog(recorded) });
      expect(recordIn(second, "a")).toMatchObject({ state: "running", interruptions: 2 });
      await breakDown(second, "a", 1);
      expect((await second.finished).nodes.get("a")).toMatchObject({ state: "failed" });
    }
  });

  it("is forgotten with the end of its node: one that is retried on request has its three again", async () => {
    const run = await startTestRun(graph({ a: [], keeper: [] }));
    await breakDown(run, "a", 3);
    expect(recordIn(run, "a")).toMatchObject({ state: "failed" });
    expect(recordIn(run, "a")).not.toHaveProperty("interruptions");
    await run.retry("a");
    await run.pass(0);
    await breakDown(run, "a", 2);
    expect(recordIn(run, "a")).toMatchObject({ state: "running", interruptions: 2 });
    run.call("a").succeed("done");
    run.call("keeper").succeed();
    const { nodes } = await run.finished;
    expect(nodes.get("a")).toMatchObject({ state: "succeeded", result: "done" });
    expect(nodes.get("a")).not.toHaveProperty("interruptions");
  });

  it("because the run was paused does not count, and one of a run that ends is cancelled", async () => {
    const run = await startTestRun(graph({ a: [] }));
    run.pause("abort");
    run.call("a").fail(died());
    await run.pass(0);
    expect(recordIn(run, "a")).toMatchObject({ state: "queued", cause: "interrupted" });
    expect(recordIn(run, "a")).not.toHaveProperty("interruptions");
    run.unpause();
    await run.pass(0);
    run.cancel("enough");
    run.call("a").fail(died());
    expect((await run.finished).nodes.get("a")).toMatchObject({ state: "cancelled", reason: "enough" });
  });

  it("after its time limit was over counts as a timeout", async () => {
    const run = await startTestRun(graph({ a: [] }, { defaultTimeoutMs: 5 }));
    await run.pass(5);
    run.call("a").fail(died());
    expect((await run.finished).nodes.get("a")).toMatchObject({ state: "failed", error: { class: "timeout" } });
  });
});
