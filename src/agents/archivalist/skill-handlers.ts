/**
 * The Archivalist's skills with what they do. They read: what is kept is written by the runs themselves.
 *
 * A query sees its own session; another one has to be named.
 */
import type { HistoryEntry, SessionId } from "../../contract/index.ts";
import { callable, type CallableSkill, insideRun } from "../skills/index.ts";
import { crossSessionQuery, failureSearch, query, sessionTimeline, store, workflowHistory } from "./skills.ts";

export type ArchivalistPorts = {
  /** Of the project, newest first; all words occur. */
  entries(words: readonly string[]): Promise<readonly HistoryEntry[]>;
};

const mostEntries = 50;
const usualEntries = 10;
const unwell: ReadonlySet<unknown> = new Set(["failed", "unverified", "cancelled"]);

export function archivalistCallables({ entries }: ArchivalistPorts): readonly CallableSkill[] {
  return [
    insideRun(store, "what a run did is kept when it ends: sylk history"),
    callable(query, "read", async ({ query: words = "", limit }, { session }) =>
      shown(ofSession(session, await entries(wordsOf(words))), limit),
    ),
    callable(crossSessionQuery, "read", ({ query: words, session_ids: of, limit }) =>
      searchHistory(words, { entries }, { of, limit }),
    ),
    callable(workflowHistory, "read", async ({ limit }) => shown((await entries([])).filter(isRun), limit)),
    callable(sessionTimeline, "read", async ({ session_id: of }, { session }) =>
      shown([...ofSession((of ?? session) as SessionId, await entries([]))].reverse(), mostEntries),
    ),
    callable(failureSearch, "read", async ({ query: words = "", limit }) =>
      shown(
        (await entries(wordsOf(words))).filter(({ content }) => unwell.has(content.status)),
        limit,
      ),
    ),
  ];
}

type Among = { readonly of?: readonly string[] | undefined; readonly limit?: number | undefined };

/** What all sessions of the project have kept about these words, the best first. */
export async function searchHistory(words: string, { entries }: ArchivalistPorts, { of, limit }: Among = {}) {
  return shown(await byFit(wordsOf(words), of, entries), limit);
}

type Ranked = HistoryEntry & { readonly score: number };

async function byFit(
  words: readonly string[],
  of: readonly string[] | undefined,
  entries: ArchivalistPorts["entries"],
): Promise<readonly Ranked[]> {
  const found = await Promise.all(words.map(async (word) => entries([word])));
  const ranked = new Map<string, Ranked>();
  for (const entry of found.flat()) {
    if (of !== undefined && !of.includes(entry.session)) continue;
    const score = (ranked.get(entry.id)?.score ?? 0) + 1 / words.length;
    ranked.set(entry.id, { ...entry, score: Math.round(score * 100) / 100 });
  }
  return [...ranked.values()].sort((one, other) => other.score - one.score || other.at - one.at);
}

function shown(entries: readonly (HistoryEntry & { readonly score?: number })[], limit = usualEntries) {
  const most = Math.min(Math.max(1, limit), mostEntries);
  return {
    entries: entries.slice(0, most).map(({ id, session, category, title, content, at, score }) => ({
      id,
      session,
      category,
      title: title.slice(0, 200),
      status: content.status ?? content.state,
      reason: content.reason,
      at,
      score,
    })),
    count: entries.length,
  };
}

function ofSession(session: SessionId, entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.filter((entry) => entry.session === session);
}

function isRun({ category }: HistoryEntry): boolean {
  return category === "workflow";
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, 10);
}
