/**
 * Search by words, ranked by BM25.
 *
 *   words -> rare enough to rank? -> the newest entries that hold one and may be seen, at most `cap` -> BM25 -> best first
 *
 * Project and sessions are words of the index itself, so that a search meets only what its caller may see. A word that more
 * than `commonAt` entries hold says little: it ranks nothing, and the answer names it. Counting all its entries for BM25 would
 * take longer than the rest of the search.
 */
import type { FoundEntry, SearchAbout } from "../../contract/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import { toEntry } from "./entry-row.ts";
import { conditionsOf } from "./filter.sqlite.ts";
import type { EntryFilter, EntrySearch } from "./store.ts";

export const cap = 2_000;
const commonAt = 5_000;
const mostWords = 12;
/** A title says more than the text. */
const weights = "2.0, 1.0, 0.0";

export function searchEntries(
  sql: Sql,
  { words: given, limit, ...filter }: EntrySearch,
): { readonly items: readonly FoundEntry[]; readonly about: SearchAbout } {
  const words = [...new Set(given.map((word) => word.replaceAll('"', "").toLowerCase()))].slice(0, mostWords);
  const commonWords = words.filter((word) => isCommon(sql, word));
  const ranking = words.filter((word) => !commonWords.includes(word));
  const isRanked = ranking.length > 0;
  // Only common words: the newest entries that hold all of them.
  const match = matchOf(isRanked ? anyOf(ranking) : words.map(quoted).join(" AND "), filter);
  const found = words.length === 0 ? [] : candidates(sql, match);
  const numbers = JSON.stringify(found.slice(0, cap));
  const { where, values } = conditionsOf({ ...filter, project: undefined, sessions: undefined });
  const rows = isRanked
    ? sql.all(
        `SELECT archive.*, ranked.score FROM (
           SELECT rowid, -bm25(archive_search, ${weights}) AS score FROM archive_search
           WHERE archive_search MATCH ? AND +rowid IN (SELECT value FROM json_each(?)) ORDER BY score DESC LIMIT ?
         ) AS ranked JOIN archive ON archive.number = ranked.rowid WHERE ${where} ORDER BY ranked.score DESC, at DESC LIMIT ?`,
        anyOf(ranking),
        numbers,
        cap,
        ...values,
        limit,
      )
    : sql.all(
        `SELECT archive.*, 0.0 AS score FROM archive WHERE number IN (SELECT value FROM json_each(?)) AND ${where}
         ORDER BY at DESC, number DESC LIMIT ?`,
        numbers,
        ...values,
        limit,
      );
  return {
    items: rows.map((row) => ({ ...toEntry(row), score: rounded(Number(row.score)) })),
    about: {
      method: isRanked ? "bm25" : "newest",
      threshold: 0,
      candidates: Math.min(found.length, cap),
      cap,
      capped: found.length > cap,
      commonWords,
    },
  };
}

function candidates(sql: Sql, match: string): readonly number[] {
  const rows = sql.all(
    "SELECT rowid FROM archive_search WHERE archive_search MATCH ? ORDER BY rowid DESC LIMIT ?",
    match,
    cap + 1,
  );
  return rows.map(({ rowid }) => Number(rowid));
}

function isCommon(sql: Sql, word: string): boolean {
  const counted = sql.get(
    "SELECT count(*) AS held FROM (SELECT rowid FROM archive_search WHERE archive_search MATCH ? LIMIT ?)",
    quoted(word),
    commonAt + 1,
  );
  return Number(counted?.held) > commonAt;
}

function quoted(word: string): string {
  return `{title words} : "${word}"`;
}

function anyOf(words: readonly string[]): string {
  return words.map(quoted).join(" OR ");
}

function matchOf(words: string, { project, sessions, category, source }: EntryFilter): string {
  const seen = (sessions ?? []).map((session) => `s${session.replace("ses_", "")}0`);
  const promoted = project === undefined ? [] : [`g${project.slice(4)}0`];
  return [
    `(${words})`,
    ...(project === undefined ? [] : [`scope : "p${project.slice(4)}0"`]),
    ...(sessions === undefined ? [] : [`scope : (${[...seen, ...promoted].map((word) => `"${word}"`).join(" OR ")})`]),
    ...(category === undefined ? [] : [`scope : "c${hex(category)}0"`]),
    ...(source === undefined ? [] : [`scope : "o${hex(source)}0"`]),
  ].join(" AND ");
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** A word that more than half of the entries hold weighs next to nothing, yet ranks. */
function rounded(score: number): number {
  return Number(score.toPrecision(4));
}
