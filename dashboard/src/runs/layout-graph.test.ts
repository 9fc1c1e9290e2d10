import { expect, it } from "vitest";
import { layoutGraph } from "./layout-graph.ts";
import { edgesOf } from "./order-nodes.ts";
import { ladder } from "./testkit.ts";

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
