import fc from "fast-check";
import { expect, it } from "vitest";
import { columnOf, columns, filterWork, groupWork, type ListedWork, orderWork, unclosedIds } from "./group-work.ts";
import { traceDependencies } from "./trace-dependencies.ts";

const ids = fc.integer({ min: 0, max: 30 }).map((number) => `wrk_${number}`);
const anyItem = fc.record({
  id: ids,
  title: fc.string(),
  type: fc.constant("change"),
  labels: fc.array(fc.constantFrom("api", "ui")),
  priority: fc.integer({ min: 0, max: 4 }),
  status: fc.constantFrom("open", "in_progress", "blocked", "closed"),
  dependsOn: fc.array(ids, { maxLength: 4 }),
  stuck: fc.option(fc.constant({ reason: "no database" }), { nil: undefined }),
  createdAt: fc.nat(),
  updatedAt: fc.nat(),
});
const anyItems = fc.uniqueArray(anyItem, { selector: ({ id }) => id }) as unknown as fc.Arbitrary<ListedWork[]>;
const item = (terms: object): ListedWork =>
  ({
    id: "wrk_1",
    title: "a",
    type: "change",
    labels: [],
    priority: 2,
    status: "open",
    dependsOn: [],
    ...terms,
  }) as never;

it("puts each item in exactly one column [DASH-5]", () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      const groups = groupWork(items, unclosedIds(items));
      const placed = columns.flatMap((column) => groups[column]);
      expect(placed.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
    }),
  );
});

it("calls an open item blocked only while something it depends on is not closed", () => {
  const dependent = item({ dependsOn: ["wrk_2"] });
  expect(columnOf(dependent, new Set(["wrk_1", "wrk_2"]))).toBe("blocked");
  expect(columnOf(dependent, new Set(["wrk_1"]))).toBe("ready");
  expect(columnOf(item({ stuck: { reason: "x" }, status: "in_progress" }), new Set())).toBe("stuck");
  expect(columnOf(item({ stuck: { reason: "x" }, status: "closed" }), new Set())).toBe("closed");
});

it("orders a column by urgency, then by age, and closed items by their last change", () => {
  const late = item({ id: "wrk_late", priority: 1, createdAt: 9 });
  const early = item({ id: "wrk_early", priority: 1, createdAt: 1 });
  const urgent = item({ id: "wrk_urgent", priority: 0, createdAt: 10 });
  const closed = [1, 2].map((at) => item({ id: `wrk_closed${at}`, status: "closed", updatedAt: at }));
  const groups = groupWork([late, early, urgent, ...closed], new Set());
  expect(groups.ready.map(({ id }) => id)).toEqual(["wrk_urgent", "wrk_early", "wrk_late"]);
  expect(groups.closed.map(({ id }) => id)).toEqual(["wrk_closed2", "wrk_closed1"]);
});

it("finds items by words, label, owner and priority, all at once", () => {
  const items = [
    item({ id: "wrk_1", title: "Limit the orders", labels: ["api"], priority: 0, owner: { name: "heron" } }),
    item({ id: "wrk_2", title: "Draw the orders", labels: ["ui"] }),
  ];
  const found = (filter: object): string[] => filterWork(items, filter).map(({ id }) => id);
  expect(found({})).toEqual(["wrk_1", "wrk_2"]);
  expect(found({ text: "ORDERS limit" })).toEqual(["wrk_1"]);
  expect(found({ label: "ui" })).toEqual(["wrk_2"]);
  expect(found({ owner: "none" })).toEqual(["wrk_2"]);
  expect(found({ owner: "heron", priority: "0", text: "orders" })).toEqual(["wrk_1"]);
  expect(found({ owner: "heron", priority: "2" })).toEqual([]);
});

it("sorts the table in both directions and keeps every item", () => {
  const items = ["b", "a", "c"].map((title, place) => item({ id: `wrk_${title}`, title, priority: place }));
  const sorted = (sort: string): string =>
    orderWork(items, sort, new Set())
      .map(({ title }) => title)
      .join("");
  expect([sorted("title"), sorted("-title"), sorted("priority"), sorted("nonsense")]).toEqual([
    "abc",
    "cba",
    "bac",
    "bac",
  ]);
});

it("traces what an item needs and what needs it, each opened once and never without end", () => {
  const items = [
    item({ id: "wrk_a", dependsOn: ["wrk_b", "wrk_c"] }),
    item({ id: "wrk_b", dependsOn: ["wrk_d"] }),
    item({ id: "wrk_c", dependsOn: ["wrk_d"] }),
    item({ id: "wrk_d", dependsOn: ["wrk_gone"] }),
  ];
  const needs = traceDependencies("wrk_a", items, "needs");
  expect(needs.map(({ id, branches }) => [id, branches.map((one) => one.id)])).toEqual([
    ["wrk_b", ["wrk_d"]],
    ["wrk_c", ["wrk_d"]],
  ]);
  expect(needs[1]!.branches[0]).toMatchObject({ branches: [], hidden: 1 });
  expect(needs[0]!.branches[0]!.branches[0]).toMatchObject({ id: "wrk_gone", item: undefined });
  expect(traceDependencies("wrk_d", items, "needed-by").map(({ id }) => id)).toEqual(["wrk_b", "wrk_c"]);
});

it("bounds the trace of any items, even of ones that depend on each other in a circle", () => {
  const size = (branches: ReturnType<typeof traceDependencies>): number =>
    branches.reduce((sum, one) => sum + 1 + size(one.branches), 0);
  fc.assert(
    fc.property(anyItems, (items) => {
      for (const direction of ["needs", "needed-by"] as const)
        expect(size(traceDependencies("wrk_0", items, direction))).toBeLessThan(31 * 31);
    }),
  );
});
