/**
 * Ranks items for an agent; pure: urgency stays first; among equally urgent items come those whose needs it
 * covers, then those of a type it has finished well and fast before, then the oldest.
 *
 * A label "needs:code-review" or "lang:go" names a capability. An item that needs one the agent lacks goes to the end of
 * its rank: it stays visible, because no other agent may be there to take it.
 */
import type { WorkItemRecord, WorkRecord } from "./store.ts";

export type Suitor = { readonly capabilities: readonly string[]; readonly records: readonly WorkRecord[] };

export function rankForAgent(
  items: readonly WorkItemRecord[],
  { capabilities, records }: Suitor,
): readonly WorkItemRecord[] {
  const able = new Set(capabilities);
  const recordOf = new Map(records.map((record) => [record.type, record]));
  const ranked = items.map((item) => ({ item, fit: fitOf(item, able), record: recordOf.get(item.type) }));
  return ranked
    .sort(
      (a, b) =>
        a.item.priority - b.item.priority ||
        b.fit - a.fit ||
        successOf(b.record) - successOf(a.record) ||
        meanMs(a.record) - meanMs(b.record) ||
        a.item.createdAt - b.item.createdAt ||
        (a.item.id < b.item.id ? -1 : 1),
    )
    .map(({ item }) => item);
}

/** 1: needs something the agent has; 0: needs nothing in particular; -1: needs something it lacks. */
function fitOf({ labels, type }: WorkItemRecord, able: ReadonlySet<string>): number {
  const needs = labels.flatMap((label) => {
    if (label.startsWith("needs:")) return [label.slice("needs:".length)];
    return label.startsWith("lang:") ? [label] : [];
  });
  if (needs.some((need) => !able.has(need))) return -1;
  return needs.length > 0 || able.has(type) ? 1 : 0;
}

/** Share of successes as if one of two had succeeded before: an unknown agent ranks between a good and a bad one. */
function successOf(record: WorkRecord | undefined): number {
  return record === undefined ? 0.5 : (record.done + 1) / (record.done + record.failed + 2);
}

function meanMs(record: WorkRecord | undefined): number {
  return record === undefined || record.done === 0 ? Number.MAX_SAFE_INTEGER : record.doneMs / record.done;
}
