/**
 * Names cycles: at least one in every knot of nodes that wait for each other, and no two that share a node.
 *
 *   depth first along the dependencies, path on a stack of our own -> an edge back into the path closes a cycle
 *
 * Cost is linear in nodes and edges: a node joins at most one reported cycle, and `named` tells without a walk whether
 * the path from some place upward holds a node of an earlier cycle.
 */

type Step = { readonly node: number; nextEdge: number; named: number };

/** Each cycle as positions, its first repeated at the end: [0, 2, 0]. Edges of a node to itself are ignored. */
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
        closed.forEach((step, index) => (step.named = entry + index)); // the highest named place at or below its own
        cycles.push([...closed.map(({ node }) => node), next]);
      }
    }
  };

  for (const root of dependencies.keys()) if (!seen.has(root)) explore(root);
  return cycles;
}

/** Most plans name a node after its dependencies, and then no circle can close. */
function isInOrder(dependencies: readonly (readonly number[])[]): boolean {
  return dependencies.every((parents, node) => parents.every((parent) => parent < node));
}
