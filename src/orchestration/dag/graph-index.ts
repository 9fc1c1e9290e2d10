/** A graph by positions instead of ids: built once, used by the checks and by the schedule. */
import type { DagNode } from "./dag.ts";

export type GraphIndex = {
  /** Of ids that are used twice, the last place. */
  readonly position: Map<string, number>;
  /** Dependencies of each node; unknown ones are left out. */
  readonly parents: number[][];
};

export function indexGraph(nodes: readonly DagNode[]): GraphIndex {
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
