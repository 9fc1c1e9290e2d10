/** How far a run is and how long its nodes took, by what is recorded of it. */
import type { JournalEntry } from "../dag/index.ts";
import type { NodeRow } from "./store.ts";

/** From the start of its process to its end, of each node that succeeded: what an earlier daemon knew of the time left. */
export function timesOf(rows: readonly NodeRow[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { node, record, startedAt, endedAt } of rows)
    if (record.state === "succeeded" && startedAt !== undefined && endedAt !== undefined)
      times.set(node, Math.max(0, endedAt - startedAt));
  return times;
}

export type Done = { done: number; total: number };

export function doneOf(rows: readonly NodeRow[], total: number): Done {
  return { done: rows.filter(({ record: { state } }) => state === "succeeded").length, total };
}

/** By what changed, since a graph may be large and a batch is small. */
export function count(progress: Done, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    if (entry.kind === "transition") progress.done += entry.transition.to === "succeeded" ? 1 : 0;
    else progress.total += (entry.adjustment.add?.length ?? 0) - (entry.adjustment.remove?.length ?? 0);
  }
}
