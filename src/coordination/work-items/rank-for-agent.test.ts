import fc from "fast-check";
import { expect, it } from "vitest";
import { registerAgent } from "../registry/index.ts";
import { minuteMs, scratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, readyWorkItems } from "./index.ts";
import { rankForAgent } from "./rank-for-agent.ts";
import type { WorkItemRecord } from "./store.ts";
import { createItem, input, refusalOf } from "./testkit.ts";

const item = (id: string, terms: Partial<WorkItemRecord> = {}): WorkItemRecord =>
  ({ id, priority: 2, labels: [], type: "change", createdAt: 0, ...terms }) as WorkItemRecord;
const ids = (items: readonly WorkItemRecord[]) => items.map(({ id }) => id as string);
const record = (type: string, done: number, failed: number, doneMs: number) => ({ type, done, failed, doneMs });

it("puts urgency first, then what the agent can, then what it has done well, then age", () => {
  const items = [
    item("old", { createdAt: 1 }),
    item("lacks", { labels: ["needs:design"], createdAt: 0 }),
    item("fits", { labels: ["lang:go"], createdAt: 9 }),
    item("good", { type: "bug", createdAt: 8 }),
    item("bad", { type: "docs", createdAt: 2 }),
    item("urgent", { priority: 0, labels: ["needs:design"], createdAt: 9 }),
  ];
  const suitor = { capabilities: ["lang:go"], records: [record("bug", 9, 0, 900), record("docs", 0, 5, 0)] };
  expect(ids(rankForAgent(items, suitor))).toEqual(["urgent", "fits", "good", "old", "bad", "lacks"]);
});

it("prefers the type it finishes faster when it succeeds equally often", () => {
  const items = [item("slow", { type: "docs" }), item("fast", { type: "bug" })];
  const records = [record("docs", 3, 1, 30_000), record("bug", 3, 1, 3_000)];
  expect(ids(rankForAgent(items, { capabilities: [], records }))).toEqual(["fast", "slow"]);
});

it("loses nothing and gives the same order whatever the order it is given", () => {
  const some = fc.array(
    fc.record({
      priority: fc.integer({ min: 0, max: 4 }),
      labels: fc.subarray(["needs:design", "lang:go", "api"]),
      type: fc.constantFrom("bug", "docs"),
      createdAt: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 12 },
  );
  const suitor = { capabilities: ["lang:go"], records: [record("bug", 1, 0, 5)] };
  fc.assert(
    fc.property(some, fc.infiniteStream(fc.nat()), (terms, chance) => {
      const items = terms.map((each, index) => item(`item-${String(index).padStart(2, "0")}`, each));
      const shuffled = items
        .map((each) => ({ each, at: chance.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ each }) => each);
      const ranked = rankForAgent(items, suitor);
      expect(ids(ranked).toSorted()).toEqual(ids(items));
      expect(ids(rankForAgent(shuffled, suitor))).toEqual(ids(ranked));
    }),
  );
});

it("learns from what an agent closes and loses, and shows it what suits it: ready for me", async () => {
  using ports = scratchPorts();
  const place = { project: { path: (await ports.caller("otter")).caller.tree }, client: "other" } as const;
  await registerAgent({ sessionKey: "heron", name: "heron", capabilities: ["lang:go"], ...place }, ports.store, ports);
  const heron = await ports.caller("heron");
  for (const type of ["docs", "bug"]) {
    const { id } = await createItem(heron, ports, { type });
    await claimWorkItem(id, heron, ports);
    ports.clock.advance(minuteMs);
    if (type === "bug") await closeWorkItem({ id, reason: "done" }, heron, ports);
  }
  ports.clock.advance(30 * minuteMs);
  const otter = await ports.caller("otter");
  const { items } = await readyWorkItems(input("work-item.ready", {}), otter.caller, ports);
  await claimWorkItem(items[0]!.id, otter, ports); // takes over what heron let run out
  expect(await ports.store.reader.workItems.recordsOf(heron.caller.agent.id)).toEqual([
    { type: "bug", done: 1, failed: 0, doneMs: minuteMs },
    { type: "docs", done: 0, failed: 1, doneMs: 0 },
  ]);
  const made = [
    await createItem(heron, ports, { title: "docs", type: "docs" }),
    await createItem(heron, ports, { title: "plain" }),
    await createItem(heron, ports, { title: "bug", type: "bug" }),
    await createItem(heron, ports, { title: "go", labels: ["lang:go"] }),
  ];
  expect(made).toHaveLength(4);
  const titles = async (whom?: string) => {
    const query = input("work-item.ready", whom === undefined ? {} : { for: whom });
    return (await readyWorkItems(query, heron.caller, ports)).items.map(({ title }) => title);
  };
  expect(await titles()).toEqual(["docs", "plain", "bug", "go"]);
  expect(await titles("me")).toEqual(["go", "bug", "plain", "docs"]);
  expect(await titles("otter")).toEqual(["docs", "plain", "bug", "go"]);
  expect((await refusalOf(titles("nobody"))).code).toBe("agent.not-found");
});
