/** The definition after an adjustment that a run accepted: what a host keeps to restore the run by. */
import type { Adjustment, Dag } from "./dag.ts";

/** What comes stands at the end, replaced nodes too. */
export function adjustedDag({ nodes, policy }: Dag, { add = [], replace = [], remove = [] }: Adjustment): Dag {
  const left = new Set([...remove, ...replace.map(({ id }) => id)]);
  return { nodes: [...nodes.filter(({ id }) => !left.has(id)), ...add, ...replace], policy };
}
