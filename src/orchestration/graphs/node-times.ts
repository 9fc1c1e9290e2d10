/** Reads from the records how long the nodes of a graph took. */
import type { NodeRow } from "./store.ts";

/** For each succeeded node, the time from process start to end. A restored engine estimates the remaining time from it. */
export function timesOf(rows: readonly NodeRow[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { node, record, startedAt, endedAt } of rows)
    if (record.state === "succeeded" && startedAt !== undefined && endedAt !== undefined)
      times.set(node, Math.max(0, endedAt - startedAt));
  return times;
}
