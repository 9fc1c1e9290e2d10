import fc from "fast-check";
import { expect, it } from "vitest";
import { layoutGraph, wayKey } from "./layout-graph.ts";
import { edgesOf } from "./order-nodes.ts";
import { graphs, ladder } from "./testkit.ts";

it("puts dependencies above, and no two nodes over each other [DASH-2]", () => {
  const nodes = ladder(5, 6);
  const edges = edgesOf(nodes);
  const { places, width, height } = layoutGraph({
    nodes: nodes.map(({ id }) => id),
    edges,
    nodeWidth: 100,
    nodeHeight: 40,
  });
  for (const [from, to] of edges) expect(places[from]!.y + 40).toBeLessThanOrEqual(places[to]!.y);
  const all = Object.values(places);
  for (const [index, a] of all.entries())
    for (const b of all.slice(index + 1)) expect(Math.abs(a.x - b.x) >= 100 || Math.abs(a.y - b.y) >= 40).toBe(true);
  expect([width >= 600, height >= 200, Math.min(...all.map(({ x }) => x)) >= 0]).toEqual([true, true, true]);
});

it("leads no edge through a node that it does not join [DASH-2]", () => {
  fc.assert(
    fc.property(graphs, (nodes) => {
      const edges = edgesOf(nodes);
      const { places, ways } = layoutGraph({ nodes: nodes.map(({ id }) => id), edges, nodeWidth: 100, nodeHeight: 40 });
      for (const [from, to] of edges) {
        const way = ways[wayKey(from, to)]!;
        expect(way.at(0)).toEqual({ x: places[from]!.x + 50, y: places[from]!.y + 40 });
        expect(way.at(-1)).toEqual({ x: places[to]!.x + 50, y: places[to]!.y });
        for (const [id, { x, y }] of Object.entries(places))
          if (id !== from && id !== to)
            for (const point of way)
              expect(point.x <= x || point.x >= x + 100 || point.y < y || point.y > y + 40, `${from} ${to} ${id}`).toBe(
                true,
              );
      }
    }),
    { numRuns: 60 },
  );
});
