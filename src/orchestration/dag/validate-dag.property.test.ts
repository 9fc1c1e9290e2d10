import fc from "fast-check";
import { expect, it } from "vitest";
import { acyclicNodes, nodeOf, policy } from "./testkit.ts";
import { validateDag } from "./validate-dag.ts";

const anyEdges = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 4 }), { minLength: size, maxLength: size }));

it("names only true cycles, one at least for every node that can reach itself through its knot [DAG-8]", () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const nodes = edges.map((targets, index) =>
        nodeOf(
          `n${index}`,
          targets.map((target) => `n${target}`),
        ),
      );
      const validation = validateDag({ nodes, policy });
      const cycles = validation.valid ? [] : validation.problems.filter(({ type }) => type === "cycle");
      const named = new Set<string>();
      for (const { nodes: path } of cycles) {
        expect(path.length).toBeGreaterThan(2);
        expect(path.at(-1)).toBe(path[0]);
        for (const [index, id] of path.slice(0, -1).entries()) {
          expect(nodes.find((node) => node.id === id)?.dependsOn).toContain(path[index + 1]);
          expect(named.has(id)).toBe(false);
          named.add(id);
        }
      }
      for (const index of edges.keys()) {
        const knot = [...reachable(edges, index)].filter(
          (other) => other !== index && reachable(edges, other).has(index),
        );
        if (knot.length > 0) expect([index, ...knot].some((member) => named.has(`n${member}`))).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

it("lays out every acyclic graph: each node once, below all its dependencies, in a layer of independent nodes [DAG-3]", () => {
  fc.assert(
    fc.property(acyclicNodes(12), (nodes) => {
      const validation = validateDag({ nodes, policy });
      const layers = validation.valid ? validation.layers : [];
      const layerOf = new Map(layers.flatMap((ids, layer) => ids.map((id) => [id, layer] as const)));
      expect(layers.flat().length).toBe(nodes.length);
      for (const { id, dependsOn } of nodes) {
        const above = dependsOn.map((other) => layerOf.get(other) ?? Number.NaN);
        expect(layerOf.get(id)).toBe(Math.max(-1, ...above) + 1);
      }
      expect(validateDag({ nodes: [...nodes], policy })).toEqual(validation);
    }),
    { numRuns: 300 },
  );
});

function reachable(edges: readonly (readonly number[])[], from: number): Set<number> {
  const found = new Set<number>();
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of edges[node] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  return found;
}
