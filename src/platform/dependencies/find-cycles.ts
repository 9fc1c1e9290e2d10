/**
 * Finds cycles: at least one in every group of nodes that depend on each other, and no two that share a node.
 *
 *   depth-first search with an explicit stack -> an edge back into the path closes a cycle
 *
 * Cost is linear in nodes and edges: a node joins at most one reported cycle, and `named` tells in one step whether the
 * path above a position contains a node of an earlier cycle.
 */

type Step = { readonly node: number; nextEdge: number; named: number };

/** Returns each cycle as positions, with the first one repeated: [0, 2, 0]. Ignores edges of a node to itself. */
export function findCycles(dependencies: readonly (readonly number[])[]): readonly (readonly number[])[] {
  if (isInOrder(dependencies)) return [];
  const cycles: number[][] = [];
  const seen = new Set<number>();
  const depth = new Map<number, number>(); // of the nodes on the path

  const explore = (root: number): void => {
    const path: Step[] = [];
    const enter = (node: number) => {
      seen.add(node);
      depth.set(node, path.length);
      path.push({ node, nextEdge: 0, named: path.at(-1)?.named ?? -1 });
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = dependencies[top.node]?.[top.nextEdge++];
      if (next === undefined) {
        path.pop();
        depth.delete(top.node);
        continue;
      }
      const entry = depth.get(next);
      if (entry === undefined) {
        if (!seen.has(next)) enter(next);
      } else if (next !== top.node && top.named < entry) {
        const closed = path.slice(entry);
        closed.forEach((step, index) => (step.named = entry + index)); // the highest named position at or below its own
        cycles.push([...closed.map(({ node }) => node), next]);
      }
    }
  };

  for (const root of dependencies.keys()) if (!seen.has(root)) explore(root);
  return cycles;
}

/** Most plans list a node after its dependencies. Then there is no cycle. */
function isInOrder(dependencies: readonly (readonly number[])[]): boolean {
  return dependencies.every((parents, node) => parents.every((parent) => parent < node));
}
