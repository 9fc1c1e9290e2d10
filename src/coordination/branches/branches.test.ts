import { expect, it } from "vitest";
import { createCatchUpClock, createRecentReads } from "../commits/index.ts";
import { operations, parseInput } from "../../contract/index.ts";
import { readInbox } from "../mail/index.ts";
import { acquireReservation, releaseReservation } from "../reservations/index.ts";
import { scratchPorts, settled } from "../testkit.ts";
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
    isMerged: async () => false,
    async merge({ branch }, { check }) {
      const done = outcome();
      if (done.state === "merged") await check(done.paths);
      merges.push(branch);
      return done;
    },
  };
  const ports = {
    ...scratch,
    catchUp: createCatchUpClock(scratch.clock, rules),
    reads: createRecentReads(scratch.clock),
    turns: createKeyedQueue(),
    reservations: scratch,
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
  const merging = mergeBranch({ branch: "side", waitMs: 0 }, at.heron, at.ports);
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
  const done = await Promise.all(names.map((branch) => mergeBranch({ branch, waitMs: 0 }, at.heron, ports)));
  expect(done.map(({ state }) => state)).toEqual(["merged", "merged", "merged", "merged"]);
  expect(at.merges.toSorted()).toEqual(names.toSorted());
});

it("is refused while another agent holds a file it changes, and moves nothing; holds of its own session do not count [GIT-17]", async () => {
  using at = await opened(() => ({ state: "merged", commit: source, paths: ["a.ts", "b.ts"] }));
  const hold = parseInput(operations["reservation.acquire"], { paths: ["a.ts"] });
  await acquireReservation(hold, at.heron, at.ports);
  const refusal = {
    code: "reservation.conflict",
    details: { holder: { name: "heron" }, paths: ["a.ts"], into: "main" },
  };
  await expect(mergeBranch({ branch: "side", waitMs: 0 }, at.otter, at.ports)).rejects.toMatchObject(refusal);
  expect(at.merges).toEqual([]);
  expect(await mergeBranch({ branch: "side", waitMs: 0 }, at.heron, at.ports)).toMatchObject({ state: "merged" });
});

it("waits for the holder, asks it once, and leaves its turn to others meanwhile [GIT-17]", async () => {
  let paths = ["a.ts"];
  using at = await opened(() => ({ state: "merged", commit: source, paths }));
  const { heron, otter, ports } = at;
  const hold = parseInput(operations["reservation.acquire"], { paths: ["a.ts"] });
  const { reservation } = await acquireReservation(hold, heron, ports);
  const waiting = mergeBranch({ branch: "slow", waitMs: 60_000 }, otter, ports);
  await settled();
  ports.clock.advance(1_000);
  await settled();
  paths = ["b.ts"];
  await mergeBranch({ branch: "quick", waitMs: 0 }, otter, ports);
  expect(at.merges).toEqual(["quick"]);
  paths = ["a.ts"];
  await releaseReservation(reservation.id, heron, ports);
  expect(await waiting).toMatchObject({ state: "merged", told: [{ name: "heron" }] });
  const inbox = parseInput(operations["mail.inbox"], { channel: "requests" });
  const { items } = await readInbox(inbox, heron, ports);
  expect(items).toMatchObject([{ content: { kind: "release-request" }, body: "to merge slow into main" }]);
});

it("gives up when its time has passed, and names the holder [GIT-17]", async () => {
  using at = await opened(() => ({ state: "merged", commit: source, paths: ["a.ts"] }));
  const hold = parseInput(operations["reservation.acquire"], { paths: ["a.ts"] });
  await acquireReservation(hold, at.heron, at.ports);
  const waiting = mergeBranch({ branch: "side", waitMs: 1_500 }, at.otter, at.ports).catch((error: unknown) => error);
  for (let second = 0; second < 3; second++) {
    await settled();
    at.ports.clock.advance(1_000);
  }
  expect(await waiting).toMatchObject({ code: "reservation.conflict", details: { holder: { name: "heron" } } });
  expect(at.merges).toEqual([]);
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
