/**
 * The changes in a file's chain of versions, grouped by author: consecutive versions of one author are one change. Pure.
 *
 *   v0 -> v1 (otter) -> v2 (otter) -> v3 (heron)   gives   otter: v0 -> v2, heron: v2 -> v3
 *
 * The first version has nothing before it, so it is not a change: what it replaced is not known.
 */
import type { AgentId } from "../../contract/index.ts";
import type { VersionRecord } from "./store.ts";

export type Change = { readonly before: VersionRecord; readonly after: VersionRecord };
export type ChangeQuery = { readonly agent?: AgentId | undefined; readonly since?: number | undefined };

/** The oldest first. */
export function changesOf(
  chain: readonly VersionRecord[],
  { agent, since = -Infinity }: ChangeQuery,
): readonly Change[] {
  const changes: Change[] = [];
  for (const [index, after] of chain.entries()) {
    const before = chain[index - 1];
    const isWanted = (agent === undefined || after.author?.id === agent) && after.seenAt >= since;
    if (before === undefined || !isWanted || after.seen === "git") continue;
    const last = changes.at(-1);
    if (last?.after === before) changes[changes.length - 1] = { before: last.before, after };
    else changes.push({ before, after });
  }
  return changes;
}

/** The newest change alone: the last version, with those of the same author right before it. */
export function newestChange(chain: readonly VersionRecord[]): readonly Change[] {
  const after = chain.at(-1);
  if (after === undefined) return [];
  let index = chain.length - 1;
  if (after.author !== undefined) while (index > 1 && isSameWriter(chain[index - 1]!, after)) index--;
  const before = chain[index - 1];
  return before === undefined ? [] : [{ before, after }];
}

/** What Sylk put back for an agent is not that agent's own work. */
function isSameWriter(one: VersionRecord, other: VersionRecord): boolean {
  return one.author?.id === other.author?.id && (one.seen === "sylk") === (other.seen === "sylk");
}
