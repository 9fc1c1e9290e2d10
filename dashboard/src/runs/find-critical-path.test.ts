import fc from "fast-check";
import { expect, it } from "vitest";
import { findCriticalPath } from "./find-critical-path.ts";
import type { GraphNode } from "./read-graph.ts";
import { graphs, nodeOf } from "./testkit.ts";

it("is the chain that took the longest; before anything ran, the longest chain [DASH-2]", () => {
  const nodes = [
    nodeOf("a"),
    nodeOf("b", ["a"]),
    nodeOf("c", ["b"]),
    nodeOf("slow", ["a"]),
    nodeOf("end", ["c", "slow"]),
  ];
  expect(findCriticalPath(nodes, () => undefined)).toEqual(["a", "b", "c", "end"]);
  expect(findCriticalPath(nodes, (id) => (id === "slow" ? 10 : 1))).toEqual(["a", "slow", "end"]);
  expect(findCriticalPath([], () => 1)).toEqual([]);
});

it("is a real chain, and as long as the longest that a naive search finds", () => {
  const small = graphs.filter(({ length }) => length <= 14);
  fc.assert(
    fc.property(small, fc.array(fc.nat({ max: 5 }), { minLength: 14, maxLength: 14 }), (nodes, times) => {
      const timeOf = (id: string): number => times[Number(id.slice(1))]!;
      const path = findCriticalPath(nodes, timeOf);
      const byId = new Map(nodes.map((node) => [node.id, node]));
      for (const [place, id] of path.entries())
        if (place > 0) expect(byId.get(id)!.dependsOn).toContain(path[place - 1]);
      const lengthOf = (ids: readonly string[]) => ids.reduce((sum, id) => sum + timeOf(id) * 1_000 + 1, 0);
      expect(lengthOf(path)).toBe(Math.max(0, ...chainsIn(nodes).map(lengthOf)));
    }),
  );
});

/** Every chain of dependencies that ends at some node. */
function chainsIn(nodes: readonly GraphNode[]): readonly (readonly string[])[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const to = (id: string): readonly (readonly string[])[] => [
    [id],
    ...byId.get(id)!.dependsOn.flatMap((parent) => to(parent).map((chain) => [...chain, id])),
  ];
  return nodes.flatMap(({ id }) => to(id));
}
