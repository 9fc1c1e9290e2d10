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
  expect(groups.map(({ items }) => items.map(({ id }) => id))).toEqual([["apr_1", "apr_3"], ["apr_2"], ["apr_4"], ["apr_5"]]);
});
