/** How long the nodes of a run took, by what is recorded of it. */
import type { NodeRow } from "./store.ts";

/** From the start of its process to its end, of each node that succeeded: what an earlier daemon knew of the time left. */
export function timesOf(rows: readonly NodeRow[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { node, record, startedAt, endedAt } of rows)
    if (record.state === "succeeded" && startedAt !== undefined && endedAt !== undefined)
      times.set(node, Math.max(0, endedAt - startedAt));
  return times;
}
