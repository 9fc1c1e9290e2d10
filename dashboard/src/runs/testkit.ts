/** Graphs for tests. */
import fc from "fast-check";
import type { GraphNode } from "./read-graph.ts";

export function nodeOf(id: string, dependsOn: readonly string[] = [], more: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    title: id,
    kind: "command",
    role: "worker",
    text: "true",
    dependsOn,
    state: "pending",
    attempt: 0,
    ...more,
  };
}

/** So many levels of so many nodes; each depends on the one above it. */
export function ladder(depth: number, width: number): readonly GraphNode[] {
  return Array.from({ length: depth * width }, (_, place) =>
    nodeOf(`n${place}`, place < width ? [] : [`n${place - width}`]),
  );
}

/** Any graph without a cycle, in any order. */
export const graphs: fc.Arbitrary<readonly GraphNode[]> = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 60 })
  .chain((parents) =>
    fc.shuffledSubarray(
      parents.map((places, place) =>
        nodeOf(`n${place}`, place === 0 ? [] : [...new Set(places.map((given) => `n${given % place}`))]),
      ),
      { minLength: parents.length },
    ),
  );
