import { expect, it } from "vitest";
import { createCatchUpClock, createRecentReads } from "../commits/index.ts";
import { scratchPorts } from "../testkit.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { mergeBranch } from "./merge-branch.ts";
import type { MergeOutcome, Merger } from "./ports.ts";
import { syncBranch } from "./sync-branch.ts";

const rules = { refreshEveryMs: 30_000, syncEveryMs: 60_000, batchEveryMs: 300_000, busyCommitsPerHour: 60 };
const source = "a".repeat(40);
const head = "b".repeat(40);
const conflict: MergeOutcome = {
  state: "conflict",
  paths: [{ path: "a.ts", ours: "Heron in 1", theirs: "Otter in 2" }],
};

async function opened(outcome: () => MergeOutcome) {
  const scratch = scratchPorts();
  const merges: string[] = [];
  const merger: Merger = {
    locate: async (tree, { branch = "origin/main", into = "main" }) => ({ branch, source, into, head, tree, at: tree }),
    async merge({ branch }) {
      merges.push(branch);
      return outcome();
    },
  };
  const ports = {
    ...scratch,
    catchUp: createCatchUpClock(scratch.clock, rules),
    reads: createRecentReads(scratch.clock),
    turns: createKeyedQueue(),
    merger,
  };
  return {
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
    ports,
    merges,
    heron: await scratch.caller("heron"),
    otter: await scratch.caller("otter"),
  };
}

it("hands a conflict to one agent, announces it once, and lets no agent try it again until it is closed [GIT-12]", async () => {
  using at = await opened(() => conflict);
  const told = { code: "workspace.conflict", details: { owner: { name: "heron" }, workItem: expect.any(String) } };
  await expect(syncBranch({}, at.heron, at.ports)).rejects.toMatchObject(told);
  await expect(syncBranch({}, at.otter, at.ports)).rejects.toMatchObject(told);
  expect(at.merges).toHaveLength(1);
  const types = await at.ports.eventTypes();
  expect(types.filter((type) => type === "branch.conflicted" || type === "work-item.created")).toHaveLength(2);
});

it("makes a work item of a branch that does not merge, with both sides and the paths, for the agent that takes it [GIT-14]", async () => {
  using at = await opened(() => conflict);
  const merging = mergeBranch({ branch: "side" }, at.heron, at.ports);
  await expect(merging).rejects.toMatchObject({ code: "workspace.conflict", details: { conflicts: ["a.ts"] } });
  const [item] = await at.ports.store.reader.workItems.readyOpen(at.heron.caller.project.id, 5);
  expect(item).toMatchObject({
    title: "Resolve the conflict of side with main",
    body: "a.ts: on main by Heron in 1; on side by Otter in 2",
  });
});

it("takes branches one after the other, in the order in which they were asked for [GIT-14]", async () => {
  let atOnce = 0;
  using at = await opened(() => ({ state: "merged", commit: source, paths: ["a.ts"] }));
  const inner = at.ports.merger.merge;
  const merger: Merger = {
    ...at.ports.merger,
    async merge(place, terms) {
      expect(++atOnce).toBe(1);
      await Promise.resolve();
      atOnce--;
      return inner(place, terms);
    },
  };
  const names = ["one", "two", "three", "four"];
  const ports = { ...at.ports, merger };
  const done = await Promise.all(names.map((branch) => mergeBranch({ branch }, at.heron, ports)));
  expect(done.map(({ state }) => state)).toEqual(["merged", "merged", "merged", "merged"]);
  expect(at.merges.toSorted()).toEqual(names.toSorted());
});

it("takes upstream over once a minute for each agent, and keeps what comes too soon [GIT-7]", async () => {
  using at = await opened(() => ({ state: "up-to-date", commit: head }));
  const { ports, heron, otter } = at;
  const sync = () => syncBranch({}, heron, ports);
  expect(await sync()).toMatchObject({ state: "up-to-date" });
  expect(await sync()).toMatchObject({ state: "later", nextInMs: 60_000, commit: head, batched: false });
  expect(await syncBranch({}, otter, ports)).toMatchObject({ state: "up-to-date" });
  ports.clock.advance(60_000);
  expect(ports.catchUp.take(heron.caller.project.id, heron.caller.agent.id)).toMatchObject({ sync: true });
  for (let count = 0; count < 11; count++) ports.catchUp.committed(heron.caller.project.id, ["a.ts"], []);
  ports.clock.advance(60_000);
  expect(await sync()).toMatchObject({ state: "later", batched: true, nextInMs: 240_000 });
});
