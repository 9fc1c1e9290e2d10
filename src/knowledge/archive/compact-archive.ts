/**
 * Compaction: the entries of a category become one summary, without a model.
 *
 *   entries that are not marked, promoted, facts, summaries, runs, sessions or preferences -> by session and category
 *     -> two or more: a summary with how many, from when to when, and their titles -> the entries are removed
 */
import { type HistoryEntry, historyUpkeep as contract, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { isPerson, refuseForeign, requireSession, targetSession } from "./archive-scope.ts";
import type { ArchiveTx, StorePorts } from "./store-entry.ts";
import type { NewEntry } from "./store.ts";

const mostTitles = 50;
const longestTitle = 120;

export async function compactArchive(
  { session: wanted, allSessions, before = Number.MAX_SAFE_INTEGER, dryRun }: InputOf<"history.compact">,
  { caller, transact }: AgentCall<ArchiveTx>,
  ports: StorePorts,
): Promise<OutputOf<"history.compact">> {
  const project = caller.project.id;
  if (allSessions && !isPerson(caller)) refuseForeign("default", requireSession(await ports.currentSession(caller)));
  const session = allSessions ? undefined : await targetSession(wanted, caller, ports);
  return transact(project, async (tx: ArchiveTx & Transaction) => {
    const tallies = await tx.archive.tally(project, session === undefined ? undefined : [session]);
    const total = tallies.reduce((sum, { entries, archived }) => sum + entries + archived, 0);
    const groups = [...groupsIn(await tx.archive.compactible(project, session, before))];
    const removed = groups.flatMap((group) => group.map(({ id }) => id));
    const summaries = groups.map((group) => summaryOf(group, ports));
    const tokensBefore = groups.flat().reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    const counts = { removed: removed.length, summaries: summaries.length };
    if (!dryRun && removed.length > 0) {
      await tx.archive.remove(project, removed);
      for (const summary of summaries) await tx.archive.keep(project, summary);
      const about = session === undefined ? {} : { session };
      await tx.events.append(project, contract.HistoryCompacted.of(project, { ...about, ...counts }));
    }
    return {
      dryRun,
      ...counts,
      stayed: total - removed.length,
      tokens: { before: tokensBefore, after: summaries.reduce((sum, entry) => sum + sizeOf(entry), 0) },
    };
  });
}

function groupsIn(entries: readonly HistoryEntry[]): readonly (readonly HistoryEntry[])[] {
  const groups = Map.groupBy(entries, ({ session, category }) => `${session} ${category}`);
  return [...groups.values()].filter((group) => group.length > 1);
}

function summaryOf(group: readonly HistoryEntry[], { ids, clock }: StorePorts): NewEntry {
  const [first, last] = [group[0]!, group.at(-1)!];
  const titles = group.slice(-mostTitles).map(({ title }) => title.split("\n")[0]!.slice(0, longestTitle));
  return {
    id: ids.next("ent"),
    session: first.session,
    category: first.category,
    kind: "summary",
    title: `${group.length} entries of ${first.category}`,
    content: { entries: group.length, from: first.at, to: last.at, titles },
    source: "archivalist",
    at: clock.now(),
  };
}

function sizeOf({ title, content }: NewEntry): number {
  return Math.ceil((title.length + JSON.stringify(content).length) / 4);
}
