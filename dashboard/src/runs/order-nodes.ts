/** Nodes by dependency depth. Dependencies that are not in the graph are left out. */

export type Dependent = { readonly id: string; readonly dependsOn: readonly string[] };
export type Edge = readonly [from: string, to: string];

export function edgesOf(nodes: readonly Dependent[]): readonly Edge[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, dependsOn }) =>
    [...new Set(dependsOn)].filter((parent) => known.has(parent) && parent !== id).map((parent): Edge => [parent, id]),
  );
}

/** Each node after everything it depends on (Kahn). Nodes of a cycle come last, in the order given. */
export function inOrder<Node extends Dependent>(nodes: readonly Node[]): readonly Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const open = new Map(nodes.map(({ id }) => [id, 0]));
  const children = new Map<string, string[]>();
  for (const [from, to] of edgesOf(nodes)) {
    open.set(to, open.get(to)! + 1);
    const known = children.get(from);
    if (known === undefined) children.set(from, [to]);
    else known.push(to);
  }
  const ready = nodes.filter(({ id }) => open.get(id) === 0);
  for (let place = 0; place < ready.length; place++)
    for (const child of children.get(ready[place]!.id) ?? []) {
      const left = open.get(child)! - 1;
      open.set(child, left);
      if (left === 0) ready.push(byId.get(child)!);
    }
  if (ready.length === nodes.length) return ready;
  const placed = new Set(ready.map(({ id }) => id));
  return [...ready, ...nodes.filter(({ id }) => !placed.has(id))];
}

/** 0 without dependencies, else one more than the deepest dependency. */
export function levelsOf(nodes: readonly Dependent[]): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (const { id, dependsOn } of inOrder(nodes))
    levels.set(
      id,
      dependsOn.reduce((deepest, parent) => Math.max(deepest, (levels.get(parent) ?? -1) + 1), 0),
    );
  return levels;
}
