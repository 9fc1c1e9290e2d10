import fc from "fast-check";
import { expect, it } from "vitest";
import { foldLevels, mostVisible } from "./fold-levels.ts";
import { edgesOf, levelsOf } from "./order-nodes.ts";
import { graphs, nodeOf, ladder } from "./testkit.ts";

it("draws a graph of 300 nodes whole, and folds one of 2,000 by level [DASH-16]", () => {
  const small = foldLevels(ladder(100, 3));
  expect([small.visible.length, small.bands.length]).toEqual([300, 0]);
  const large = foldLevels(ladder(40, 50));
  expect(large.visible.map(({ kind }) => kind)).toEqual(Array(40).fill("band"));
  expect(large.bands[0]).toMatchObject({ key: "1", name: "Level 1", states: new Map([["pending", 50]]) });
  expect(large.edges.length).toBe(39);
});

it("opens the bands asked for last, as long as they fit", () => {
  const nodes = ladder(40, 50);
  const opened = foldLevels(nodes, ["1", "2", "3", "4", "5", "6", "no such band"]);
  expect([...opened.open]).toEqual(["6", "5", "4", "3", "2"]);
  expect(opened.visible.length).toBe(35 + 5 * 50);
});

it("folds a very deep and a very wide graph, too", () => {
  const deep = foldLevels(ladder(2_000, 1));
  expect([deep.visible.length, deep.bands[0]!.name]).toEqual([40, "Levels 1 to 50"]);
  const wide = foldLevels(ladder(1, 2_000), ["1-2"]);
  expect([wide.visible.length, wide.bands[1]!.name]).toEqual([119, "Level 1, part 2 of 20"]);
});

it("shows every node in exactly one place, and draws exactly the images of real edges, without a cycle [DASH-16]", () => {
  fc.assert(
    fc.property(graphs, fc.array(fc.integer({ min: 1, max: 50 }).map(String)), (nodes, wanted) => {
      const { visible, edges } = foldLevels(nodes, wanted, 20);
      const placeOf = new Map<string, string>();
      for (const shown of visible)
        for (const id of shown.kind === "node" ? [shown.id] : shown.band.ids) {
          expect(placeOf.has(id)).toBe(false);
          placeOf.set(id, shown.id);
        }
      expect([...placeOf.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      const images = edgesOf(nodes).map(([from, to]) => `${placeOf.get(from)} > ${placeOf.get(to)}`);
      const wantedImages = new Set(images.filter((image) => image.split(" > ")[0] !== image.split(" > ")[1]));
      expect(edges.map((edge) => edge.join(" > ")).toSorted()).toEqual([...wantedImages].toSorted());
      const quotient = visible.map(({ id }) =>
        nodeOf(
          id,
          edges.filter(([, to]) => to === id).map(([from]) => from),
        ),
      );
      const levels = levelsOf(quotient);
      for (const [from, to] of edges) expect(levels.get(from)!).toBeLessThan(levels.get(to)!);
    }),
  );
});

it("never draws more than 300 nodes of a graph of up to 10,000, whatever is opened", () => {
  for (const [depth, width] of [
    [1, 10_000],
    [10_000, 1],
    [100, 100],
    [33, 60],
    [2, 5_000],
  ] as const) {
    const nodes = ladder(depth, width);
    const keys = foldLevels(nodes).bands.map(({ key }) => key);
    expect(foldLevels(nodes, keys).visible.length).toBeLessThanOrEqual(mostVisible);
    expect(foldLevels(nodes, keys.slice(0, 1)).open.size).toBe(1);
  }
});
