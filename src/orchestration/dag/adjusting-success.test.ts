import { expect, it } from "vitest";
import type { Adjustment } from "./dag.ts";
import type { JournalEntry } from "./dag-run.ts";
import { succeedWith } from "./index.ts";
import { foldEntries, graph, nodeOf, settle, startTestRun } from "./testkit.ts";

async function startRecorded(dag = graph({ plan: [], old: ["plan"] }), more = {}) {
  const batches: (readonly JournalEntry[])[] = [];
  const journal = { record: async (entries: readonly JournalEntry[]) => void batches.push(entries) };
  return { dag, batches, run: await startTestRun(dag, { journal, ...more }) };
}

const told = (entries: readonly JournalEntry[]) =>
  entries.map((entry) =>
    entry.kind === "adjusted" ? `v${entry.version} by ${entry.by}` : `${entry.transition.node}:${entry.transition.to}`,
  );

const steps: Adjustment = { add: [nodeOf("a", ["plan"]), nodeOf("b", ["a"])], replace: [nodeOf("old", ["b"])] };

it("records a success, the adjustment that it brings and what becomes ready in one call", async () => {
  const { run, batches, dag } = await startRecorded();
  run.call("plan").succeed(succeedWith({ steps: 2 }, steps));
  await settle();
  expect(told(batches.at(-1) ?? [])).toEqual(["v2 by plan", "plan:succeeded", "a:queued", "a:running"]);
  expect([run.status().version, run.call("a").parents.get("plan")]).toEqual([2, { steps: 2 }]);
  const next = await startTestRun(dag, foldEntries(dag, batches.flat()));
  expect(next.calls.map(({ node, attempt }) => `${node} ${attempt}`)).toEqual(["a 2"]);
});

it("plans again when it was dropped before that call, and only then", async () => {
  const { run, batches, dag } = await startRecorded();
  run.call("plan").succeed(succeedWith(1, steps));
  await settle();
  const before = await startTestRun(dag, foldEntries(dag, batches.slice(0, -1).flat()));
  expect(before.calls.map(({ node, attempt }) => `${node} ${attempt}`)).toEqual(["plan 2"]);
  before.call("plan").succeed(succeedWith(2, steps));
  await settle();
  expect(before.plan().nodes.map(({ id }) => id)).toEqual(["plan", "a", "b", "old"]);
});

it("fails the node as permanent when the adjustment is refused, with every problem, and changes nothing", async () => {
  const { run, batches } = await startRecorded(graph({ done: [], plan: ["done"], old: ["plan"] }), {});
  run.call("done").succeed();
  await settle();
  const wrong = { add: [nodeOf("a", ["b"]), nodeOf("b", ["a", "ghost"])], replace: [nodeOf("done")], remove: ["plan"] };
  run.call("plan").succeed(succeedWith("never", wrong));
  const { outcome, nodes } = await run.finished;
  expect([outcome, [...nodes.keys()], run.status().version]).toEqual(["failed", ["done", "plan", "old"], 1]);
  expect(nodes.get("plan")).toMatchObject({ state: "failed", error: { class: "permanent" } });
  const message = nodes.get("plan")?.error?.message ?? "";
  for (const part of ["its adjustment was refused", '"done" has started', '"plan" has started', "ghost", "a → b → a"])
    expect(message).toContain(part);
  expect(batches.flat().filter(({ kind }) => kind === "adjusted")).toEqual([]);
});

it("adjusts nothing for an attempt that comes late or is cancelled", async () => {
  const { run } = await startRecorded();
  run.cancel();
  run.call("plan").succeed(succeedWith(1, steps));
  const { outcome, nodes } = await run.finished;
  expect([outcome, nodes.size, run.status().version]).toEqual(["cancelled", 2, 1]);
});

it("adds nodes that need no dependency, and ends the run when it removes the rest", async () => {
  const { run, batches } = await startRecorded();
  run.call("plan").succeed(succeedWith(1, { add: [nodeOf("free")], remove: ["old"] }));
  await settle();
  expect(told(batches.at(-1) ?? [])).toEqual(["v2 by plan", "free:queued", "plan:succeeded", "free:running"]);
  run.call("free").succeed();
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});
