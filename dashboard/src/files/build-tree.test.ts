import fc from "fast-check";
import { expect, it } from "vitest";
import {
  addFigures,
  buildTree,
  filterMarks,
  findNode,
  heatLevel,
  hotSpots,
  noFigures,
  type TreeNode,
  visibleRows,
} from "./build-tree.ts";

const part = fc.constantFrom("src", "api", "a.ts", "**", "__proto__", "constructor");
const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
const mark = fc.record({ path, holds: fc.nat(9), handOvers: fc.nat(9), versions: fc.nat(9) });

it("finds every path in the tree, and sums a folder from its children [DASH-4]", () => {
  fc.assert(
    fc.property(fc.array(mark), (marks) => {
      const tree = buildTree(marks);
      for (const one of marks) expect(findNode(tree, one.path)?.path).toBe(one.path);
      expect(tree.paths).toBe(new Set(marks.map((one) => one.path)).size);
      expect(tree.total).toEqual(marks.reduce((sum, one) => addFigures(sum, figuresOf(one)), noFigures));
      const check = (node: TreeNode): void => {
        expect(node.total).toEqual(node.children.reduce((sum, { total }) => addFigures(sum, total), node.own));
        node.children.forEach(check);
      };
      check(tree);
    }),
  );
});

it("shows every path once where all folders are open, and only the top where all are closed", () => {
  fc.assert(
    fc.property(fc.array(mark), (marks) => {
      const tree = buildTree(marks);
      const open = visibleRows(tree, new Map(), true).map(({ node }) => node.path);
      expect(new Set(open).size).toBe(open.length);
      for (const one of marks) expect(open).toContain(one.path);
      const closed = new Map(open.map((one) => [one, false]));
      expect(visibleRows(tree, closed).length).toBe(tree.children.length);
    }),
  );
});

it("names folders that only lead to one other folder in one row", () => {
  const tree = buildTree([{ path: "packages/shop/src/a.ts" }, { path: "packages/shop/src/b.ts" }, { path: "docs" }]);
  expect(visibleRows(tree, new Map()).map(({ name, depth }) => [name, depth])).toEqual([
    ["packages/shop/src", 0],
    ["a.ts", 1],
    ["b.ts", 1],
    ["docs", 0],
  ]);
});

it("scales heat to four bars, and never hides what is warm beside one hot path", () => {
  expect([0, 1, 10, 1_000].map((heat) => heatLevel(heat, 1_000))).toEqual([0, 1, 2, 4]);
  expect(heatLevel(0, 0)).toBe(0);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      expect(heatLevel(low, high)).toBeLessThanOrEqual(heatLevel(high, high));
    }),
  );
});

it("names the paths that agents compete for, the hottest first, without quiet holds", () => {
  const tree = buildTree([
    { path: "src/quiet.ts", holds: 40 },
    { path: "src/warm.ts", handOvers: 1 },
    { path: "src/hot.ts", waiters: 2, backAndForth: 3, handOvers: 6 },
  ]);
  expect(hotSpots(tree, 5).map((node) => node.path)).toEqual(["src/hot.ts", "src/warm.ts"]);
  expect(filterMarks([{ path: "src/Hot.ts" }, { path: "b.ts" }], "hot SRC").map((one) => one.path)).toEqual([
    "src/Hot.ts",
  ]);
});

function figuresOf<Mark extends { readonly path: string }>({ path, ...figures }: Mark): Omit<Mark, "path"> {
  expect(path).not.toBe("");
  return figures;
}
