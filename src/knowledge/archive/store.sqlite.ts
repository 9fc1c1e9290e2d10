/** The archive's rows in SQLite. The index of words follows them by triggers. */
import type { HistoryEntry, ProjectId } from "../../contract/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import { failureKeyOf, toEntry, tokensOf, wordsIn } from "./entry-row.ts";
import { conditionsOf } from "./filter.sqlite.ts";
import { searchEntries } from "./search.sqlite.ts";
import type { ArchiveRepository, EntryFilter, EntryMark, EntryPage } from "./store.ts";

const marks: Readonly<Record<EntryMark, string>> = {
  keep: "kept = 1",
  unkeep: "kept = 0",
  archive: "archived = 1",
  unarchive: "archived = 0",
};

export function sqliteArchive(sql: Sql): ArchiveRepository {
  return {
    async keep(project, { id, session, category, kind = "entry", title, content, source, at, workflow, ...rest }) {
      const text = JSON.stringify(content);
      sql.run("DELETE FROM archive WHERE id = ?", id);
      sql.run(
        `INSERT INTO archive (id, project, session, category, kind, source, status, title, words, content, tokens, workflow, failure, kept, promotion, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        project,
        session,
        category,
        kind,
        source ?? "daemon",
        typeof content.status === "string" ? content.status : null,
        title,
        wordsIn(content),
        text,
        tokensOf(title) + tokensOf(text),
        workflow ?? null,
        failureKeyOf({ category, title, content }) ?? null,
        rest.kept === true ? 1 : 0,
        rest.promoted === undefined ? null : JSON.stringify(rest.promoted),
        at,
      );
    },
    async find(id, project) {
      const row = sql.get("SELECT * FROM archive WHERE id = ? AND project = coalesce(?, project)", id, project ?? null);
      return row === undefined ? undefined : toEntry(row);
    },
    list: async (page) => listEntries(sql, page),
    count: async (filter) => countEntries(sql, filter),
    search: async (search) => searchEntries(sql, search),
    async mark(id, project, mark) {
      sql.run(`UPDATE archive SET ${marks[mark]} WHERE id = ? AND project = ?`, id, project);
    },
    async promote(id, project, promotion) {
      const value = promotion === undefined ? null : JSON.stringify(promotion);
      sql.run("UPDATE archive SET promotion = ? WHERE id = ? AND project = ?", value, id, project);
    },
    projectOf: async (session) =>
      sql.get("SELECT project FROM archive WHERE session = ? LIMIT 1", session)?.project as ProjectId | undefined,
    tokensOf: async (project, session) =>
      Number(
        sql.get(
          "SELECT coalesce(sum(tokens), 0) AS tokens FROM archive WHERE project = ? AND session = ? AND archived = 0",
          project,
          session,
        )?.tokens,
      ),
    removeBefore: async (at, except) =>
      sql.run(
        "DELETE FROM archive WHERE at < ? AND id NOT IN (SELECT value FROM json_each(?))",
        at,
        JSON.stringify(except),
      ).changes,
    async removeProject(project) {
      for (const table of ["workflows", "savings", "snapshots", "defaults", "queries"])
        sql.run(`DELETE FROM archive_${table} WHERE project = ?`, project);
      return sql.run("DELETE FROM archive WHERE project = ?", project).changes;
    },
  };
}

/**
 * Entries of the sessions and promoted ones come from an index each: with one condition for both SQLite would walk through
 * all entries of the project.
 */
function listEntries(sql: Sql, { before, limit, ...filter }: EntryPage) {
  const [at, number] = before === undefined ? [Number.MAX_SAFE_INTEGER, 0] : cursorParts(before);
  const parts =
    filter.sessions === undefined
      ? [{ ...filter, also: "TRUE" }]
      : [
          ...filter.sessions.map((session) => ({ ...filter, sessions: undefined, also: "session = ?", session })),
          { ...filter, sessions: undefined, also: "promotion IS NOT NULL" },
        ];
  const rows = parts.flatMap(({ also, ...part }) => {
    const { where, values } = conditionsOf(part);
    return sql.all(
      `SELECT * FROM archive WHERE ${where} AND ${also} AND (at, number) < (?, ?) ORDER BY at DESC, number DESC LIMIT ?`,
      ...values,
      ...("session" in part ? [part.session] : []),
      at,
      number,
      limit,
    );
  });
  const byNumber = new Map(rows.map((row) => [Number(row.number), row]));
  return [...byNumber.values()]
    .sort((a, b) => Number(b.at) - Number(a.at) || Number(b.number) - Number(a.number))
    .slice(0, limit)
    .map((row): HistoryEntry & { readonly cursor: string } => ({
      ...toEntry(row),
      cursor: `${String(row.at)}-${String(row.number)}`,
    }));
}

function countEntries(sql: Sql, filter: EntryFilter): number {
  const { where, values } = conditionsOf(filter);
  return Number(sql.get(`SELECT count(*) AS entries FROM archive WHERE ${where}`, ...values)?.entries);
}

function cursorParts(cursor: string): readonly [number, number] {
  const [at = Number.NaN, number = Number.NaN] = cursor.split("-").map(Number);
  return [at, number];
}
