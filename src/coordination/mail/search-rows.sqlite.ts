/**
 * Full-text search. Project, thread, topic and readers are words of the index itself, so that a search meets only what its
 * caller may read, however much mail of others there is. Newest first, which the index gives without sorting.
 */
import type { Sql } from "../../platform/store/index.ts";
import { selectMessages, toMessage, withReceivers } from "./read-rows.sqlite.ts";
import type { MailRepository, MessageRecord, SentMessage } from "./store.ts";

type Query = Parameters<MailRepository["search"]>[0];

/** The words a message is found by besides its own. */
export function searchTerms({ project, thread, topic, audience, from, to }: MessageRecord): {
  readonly scope: string;
  readonly readers: string;
} {
  const projects = new Set([project, ...[from, ...to].flatMap(({ home }) => (home === undefined ? [] : [home.id]))]);
  const scope = [...[...projects].map(wordOf), wordOf(thread), ...(topic === undefined ? [] : [topicWord(topic)])];
  const readers =
    audience === "agents" ? [from, ...to].map(({ id }) => wordOf(id)) : [wordOf(project), wordOf(from.id)];
  return { scope: scope.join(" "), readers: readers.join(" ") };
}

export function searchRows(sql: Sql, query: Query): readonly SentMessage[] {
  const { before = Number.MAX_SAFE_INTEGER, limit } = query;
  const match = matchOf(query);
  // The inner select walks the index downwards from the cursor; joined directly, SQLite would sort all matches.
  const rows =
    match === ""
      ? sql.all(`${selectMessages} WHERE sequence < ? ORDER BY sequence DESC LIMIT ?`, before, limit)
      : sql.all(
          `${selectMessages} WHERE sequence IN
             (SELECT rowid FROM message_search WHERE message_search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?)
           ORDER BY sequence DESC`,
          match,
          before,
          limit,
        );
  return withReceivers(sql, rows.map(toMessage));
}

function matchOf({ viewer, words, thread, topic }: Query): string {
  const { project, agent } = viewer;
  return [
    ...wordsTogether(words.map((word) => `{subject body} : "${word}"`)),
    ...(project === undefined || agent !== undefined ? [] : [`scope : "${wordOf(project)}"`]),
    ...(thread === undefined ? [] : [`scope : "${wordOf(thread)}"`]),
    ...(topic === undefined ? [] : [`scope : "${topicWord(topic)}"`]),
    ...(agent === undefined ? [] : [`readers : (${[project!, agent].map((id) => `"${wordOf(id)}"`).join(" OR ")})`]),
  ].join(" AND ");
}

/**
 * SQLite flattens nested ANDs and then looks up each step of the rare words in the long list of readers as well. An OR with
 * what no message has keeps the words apart, so that only what has all of them is looked up there: five times quicker.
 */
function wordsTogether(terms: readonly string[]): readonly string[] {
  return terms.length < 2 ? terms : [`((${terms.join(" AND ")}) OR scope : "none")`];
}

/** An id without its prefix is one word. */
function wordOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

/** A topic has signs that would part it into several words. */
function topicWord(topic: string): string {
  return `topic${Buffer.from(topic).toString("hex")}`;
}
