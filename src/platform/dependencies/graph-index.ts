/** A graph by position instead of id. It is built once; the checks and the schedule use it. */
export type Dependent = { readonly id: string; readonly dependsOn: readonly string[] };
export type GraphIndex = {
  /** Position by id. For a duplicate id, the last position. */
  readonly position: Map<string, number>;
  /** Dependencies of each node, without unknown ones. */
  readonly parents: number[][];
};

export function indexGraph(nodes: readonly Dependent[]): GraphIndex {
  const position = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) position.set(id, index);
  const parents = nodes.map(({ dependsOn }) => positionsIn(position, dependsOn));
  return { position, parents };
}

function positionsIn(position: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const found: number[] = [];
  for (const id of ids) {
    const index = position.get(id);
    if (index !== undefined) found.push(index);
  }
  return found;
}
