import { expect, it } from "vitest";
import type { InboxItem } from "../daemon/contract.ts";
import { foldCauses } from "./fold-causes.ts";

const item = (id: string, createdAt: number, terms: Partial<InboxItem> = {}) =>
  ({ id, createdAt, kind: "command", project: "shop", run: "run_1", question: "Run npm?", ...terms }) as InboxItem;

it("folds the same question of one run, oldest first, and keeps other causes apart [DASH-6]", () => {
  const groups = foldCauses([
    item("apr_3", 3),
    item("apr_2", 2, { run: "run_2" as never }),
    item("apr_1", 1),
    item("apr_4", 4, { project: "other" }),
    item("apr_5", 5, { kind: "plan" }),
  ]);
  expect(groups.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ["apr_1", "apr_3"],
    ["apr_2"],
    ["apr_4"],
    ["apr_5"],
  ]);
});

it("folds the holds that one agent asks for with one reason, and keeps those without a reason apart [DASH-6]", () => {
  const hold = (id: string, by: string, details: readonly string[]) =>
    item(id, Number(id.slice(-1)), { kind: "hold", question: `Release ${id}.ts?`, by, details: [...details] });
  const groups = foldCauses([
    hold("rsv_1", "magpie", ["the build is red"]),
    hold("rsv_2", "magpie", ["the build is red"]),
    hold("rsv_3", "magpie", ["a typo"]),
    hold("rsv_4", "heron", ["the build is red"]),
    hold("rsv_5", "heron", []),
    hold("rsv_6", "heron", []),
  ]);
  expect(groups.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ["rsv_1", "rsv_2"],
    ["rsv_3"],
    ["rsv_4"],
    ["rsv_5"],
    ["rsv_6"],
  ]);
});
