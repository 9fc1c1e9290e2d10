/**
 * Full-text search. Project and readers are words of the index itself, so that a search meets only what its caller may
 * read, however much mail of others holds the same words. Newest first, which the index gives without sorting.
 */
import type { AgentId, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlValue } from "../../platform/store/index.ts";
import { selectMessages, toMessage, withReceivers } from "./read-rows.sqlite.ts";
import type { MailRepository, SentMessage } from "./store.ts";

/** The words a message is found by besides its own. Ids without their prefix are one word each. */
export function searchTerms(
  project: ProjectId,
  readers: readonly AgentId[],
): { readonly scope: string; readonly readers: string } {
  return { scope: wordOf(project), readers: readers.length === 0 ? "everyone" : readers.map(wordOf).join(" ") };
}

export function searchRows(
  sql: Sql,
  { viewer, words, thread, topic, before, limit }: Parameters<MailRepository["search"]>[0],
): readonly SentMessage[] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const narrow = (condition: string, ...given: readonly SqlValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (words.length > 0) {
    // The inner select walks the index downwards from the cursor; joined directly, SQLite would sort all matches.
    narrow(
      "sequence IN (SELECT rowid FROM message_search WHERE message_search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?)",
      matchOf(words, viewer),
      before ?? Number.MAX_SAFE_INTEGER,
      thread === undefined && topic === undefined ? limit : -1,
    );
  } else if (viewer.agent !== undefined) {
    narrow(
      "(audience <> 'agents' OR sender = ? OR EXISTS (SELECT 1 FROM message_receivers AS r WHERE r.sequence = messages.sequence AND r.agent = ?))",
      viewer.agent,
      viewer.agent,
    );
  }
  if (viewer.project !== undefined) narrow("messages.project = ?", viewer.project);
  if (thread !== undefined) narrow("thread = ?", thread);
  if (topic !== undefined) narrow("topic = ?", topic);
  if (before !== undefined) narrow("sequence < ?", before);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = sql.all(`${selectMessages} ${where} ORDER BY sequence DESC LIMIT ?`, ...values, limit);
  return withReceivers(sql, rows.map(toMessage));
}

function matchOf(
  words: readonly string[],
  { project, agent }: { project: ProjectId | undefined; agent: AgentId | undefined },
): string {
  const text = words.map((word) => `{subject body} : "${word}"`);
  const scope = project === undefined ? [] : [`scope : "${wordOf(project)}"`];
  const readers = agent === undefined ? [] : [`readers : ("everyone" OR "${wordOf(agent)}")`];
  return [...text, ...scope, ...readers].join(" AND ");
}

function wordOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}
