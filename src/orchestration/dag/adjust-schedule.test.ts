import { expect, it } from "vitest";
import type { Adjustment, Dag } from "./dag.ts";
import { type DagProblem, InvalidDag } from "./dag-problems.ts";
import type { JournalEntry } from "./dag-run.ts";
import { workOf } from "./move-node.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { createSchedule } from "./create-schedule.ts";
import { decide } from "./scheduler.ts";
import { chain, foldEntries, graph, nodeOf, settle, startTestRun } from "./testkit.ts";

/** 100,000 nodes are a second of work, which may be a long one beside other work. */
const busyMachineMs = 60_000;

async function startAdjustable(dag: Dag, more = {}) {
  const entries: JournalEntry[] = [];
  const journal = { record: async (batch: readonly JournalEntry[]) => void entries.push(...batch) };
  return { entries, run: await startTestRun(dag, { journal, ...more }) };
}

const finishAll = async ({ run }: Awaited<ReturnType<typeof startAdjustable>>) => {
  for (let done = 0; done < run.calls.length; done++) {
    run.calls[done]?.succeed(run.calls[done]?.node);
    await settle();
  }
  return [(await run.finished).outcome, run.calls.map(({ node }) => node).join(" ")];
};

it("adds, replaces and removes nodes that have not started, as one new version", async () => {
  const started = await startAdjustable(graph({ a: [], b: ["a"], c: ["b"], old: ["a"] }));
  const { run, entries } = started;
  const adjustment: Adjustment = {
    add: [nodeOf("new", ["a"]), nodeOf("last", ["c", "new"])],
    replace: [nodeOf("b", ["new"])],
    remove: ["old"],
  };
  expect(await run.adjust(adjustment, { expectedVersion: 1 })).toBe(2);
  expect(entries.at(-1)).toEqual({ kind: "adjusted", version: 2, adjustment });
  expect(run.plan()).toMatchObject({ version: 2, layers: [["a"], ["new"], ["b"], ["c"], ["last"]] });
  expect(run.plan()).toMatchObject({
    nodes: foldEntries(graph({ a: [], b: ["a"], c: ["b"], old: ["a"] }), entries).dag.nodes,
  });
  expect(await finishAll(started)).toEqual(["succeeded", "a new b c last"]);
  expect(run.calls.map(({ parents }) => [...parents.values()].join())).toEqual(["", "a", "new", "b", "c,new"]);
  expect([...(await run.finished).nodes.keys()]).toEqual(["a", "c", "new", "last", "b"]);
});

it("takes a queued node out of the queue, and starts its replacement in its stead", async () => {
  const started = await startAdjustable(graph({ a: [], b: [], c: [] }, { maxConcurrency: 1 }));
  await started.run.adjust(
    { remove: ["b"], replace: [nodeOf("c", [], { prompt: "another" })] },
    { expectedVersion: 1 },
  );
  expect(await finishAll(started)).toEqual(["succeeded", "a c"]);
  expect(started.run.plan().nodes.map(({ prompt }) => prompt)).toEqual(["Do a", "another"]);
});

it("finishes when the last open node is removed", async () => {
  const { run } = await startAdjustable(graph({ a: [], b: [] }, { maxConcurrency: 1 }));
  run.pause("finish");
  run.call("a").succeed();
  await settle();
  await run.adjust({ remove: ["b"] }, { expectedVersion: 1 });
  expect(await run.finished).toMatchObject({ outcome: "succeeded" });
});

it("skips what is added below a failure, and brings it back with a retry", async () => {
  const { run } = await startAdjustable(graph({ a: [], b: ["a"], long: [] }));
  run.call("a").fail(new NodeFailure({ class: "permanent", message: "no" }));
  await settle();
  await run.adjust({ add: [nodeOf("d", ["c"]), nodeOf("c", ["b"])] }, { expectedVersion: 1 });
  expect(run.status().nodes.get("d")).toMatchObject({ state: "skipped", cause: "failed:a" });
  await run.retry("a");
  expect(run.status().counts).toMatchObject({ pending: 3, skipped: 0 });
});

it("refuses the whole with every problem at once, the cycle named, and changes nothing", async () => {
  const { run, entries } = await startAdjustable(graph({ a: [], b: ["a"], c: ["b"], d: ["c"] }), {
    roles: new Set(["engineer"]),
  });
  const written = entries.length;
  const before = run.plan();
  const adjustment = {
    add: [nodeOf("c"), nodeOf("x", ["ghost"], { role: "wizard", timeoutMs: 0 }), nodeOf("y"), nodeOf("y")],
    replace: [nodeOf("a"), nodeOf("b", ["d"]), nodeOf("nobody")],
    remove: ["c", "missing", "c"],
  };
  const error: unknown = await run.adjust(adjustment, { expectedVersion: 1 }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(InvalidDag);
  const problems = (error as { problems: readonly DagProblem[] }).problems.map(
    ({ type, nodes }) => `${type} ${nodes.join()}`,
  );
  expect(problems).toEqual([
    "unknown-node missing",
    "started a",
    "unknown-node nobody",
    "duplicate-id c",
    "duplicate-id c",
    "duplicate-id c",
    "policy x",
    "duplicate-id y",
    "unknown-role x",
    "unknown-dependency x,ghost",
    "unknown-dependency d,c",
  ]);
  const cycle = run.adjust({ replace: [nodeOf("b", ["a", "d"])] }, { expectedVersion: 1 });
  await expect(cycle).rejects.toThrow("b → d → c → b");
  await expect(run.adjust({ remove: ["b"] }, { expectedVersion: 1 })).rejects.toThrow(
    '"c" depends on "b", which would',
  );
  await expect(run.adjust({ add: [nodeOf("p", ["q"]), nodeOf("q", ["p"])] }, { expectedVersion: 1 })).rejects.toThrow(
    "p → q → p",
  );
  expect([run.plan(), entries.length]).toEqual([before, written]);
});

it("lets one of two editors through: the other's version is not the current one", async () => {
  const { run } = await startAdjustable(graph({ a: [], b: ["a"] }));
  const both = await Promise.allSettled([
    run.adjust({ add: [nodeOf("x")] }, { expectedVersion: 1 }),
    run.adjust({ add: [nodeOf("y")] }, { expectedVersion: 1 }),
  ]);
  expect(both).toMatchObject([
    { status: "fulfilled", value: 2 },
    { status: "rejected", reason: { name: "DagRefusal", reason: "stale-version", currentVersion: 2 } },
  ]);
});

it("continues after a crash with the adjusted graph and its version", async () => {
  const dag = graph({ a: [], b: ["a"] }, { maxConcurrency: 2 });
  const { run, entries } = await startAdjustable(dag);
  await run.adjust({ add: [nodeOf("x")], replace: [nodeOf("b", ["a", "x"])] }, { expectedVersion: 1 });
  const second = await startTestRun(dag, foldEntries(dag, entries));
  expect(second.calls.map(({ node, attempt }) => [node, attempt])).toEqual([
    ["a", 2],
    ["x", 2],
  ]);
  expect(second.status().version).toBe(2);
});

it(
  "costs by what changes: an adjustment of 100,000 nodes touches a handful",
  () => {
    const schedule = createSchedule(chain(99_000), { random: () => 0 });
    const now = { wall: 0, monotonic: 0 };
    decide(schedule, { type: "started" }, now);
    const before = workOf(schedule);
    for (let round = 0; round < 500; round++) {
      const adjustment = {
        add: [nodeOf(`x${round}`, ["n98999"])],
        ...(round > 0 ? { remove: [`x${round - 1}`] } : {}),
      };
      decide(schedule, { type: "adjust-requested", adjustment, expectedVersion: round + 1 }, now);
    }
    expect(workOf(schedule) - before).toBeLessThanOrEqual(500 * 5);
    expect([schedule.version, schedule.position.size]).toEqual([501, 99_001]);
  },
  busyMachineMs,
);
