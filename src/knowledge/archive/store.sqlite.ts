/** The archive's rows in SQLite. The index of words follows them by triggers. */
import { hash } from "node:crypto";
import type { HistoryEntry, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import { failureKeyOf, toEntry, tokensOf, wordsIn } from "./entry-row.ts";
import { conditionsOf } from "./filter.sqlite.ts";
import { reportRows } from "./reports.sqlite.ts";
import { searchEntries } from "./search.sqlite.ts";
import type { ArchiveRepository, EntryFilter, EntryMark, EntryPage, NewEntry, Written } from "./store.ts";
import { upkeepRows } from "./upkeep.sqlite.ts";

const marks: Readonly<Record<EntryMark, string>> = {
  keep: "kept = 1",
  unkeep: "kept = 0",
  archive: "archived = 1",
  unarchive: "archived = 0",
};

/** `onWritten` is told after the commit of each change, for caches. */
export function sqliteArchive(sql: Sql, onWritten: (written: Written) => void = () => {}): ArchiveRepository {
  const written = (what: Written): void => sql.afterCommit(() => onWritten(what));
  return {
    ...reportRows(sql),
    ...upkeepRows(sql, written),
    async keep(project, entry) {
      const { id, session, category, kind = "entry", title, content, source, at, ...rest } = entry;
      const text = JSON.stringify(content);
      const workflow = keepWorkflow(sql, project, entry);
      sql.run("DELETE FROM archive WHERE id = ?", id);
      written({ project, session: rest.promoted === undefined ? session : undefined });
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
    async course({ project, session, after }, limit) {
      const [at, number] = after === undefined ? [-1, 0] : cursorParts(after);
      const rows = sql.all(
        `SELECT * FROM archive WHERE project = coalesce(?, project) AND session = ? AND (at, number) > (?, ?)
         ORDER BY at, number LIMIT ?`,
        project ?? null,
        session,
        at,
        number,
        limit,
      );
      return rows.map(withCursor);
    },
    count: async (filter) => countEntries(sql, filter),
    search: async (search) => searchEntries(sql, search),
    async mark(id, project, mark) {
      written({ project, session: undefined });
      sql.run(`UPDATE archive SET ${marks[mark]} WHERE id = ? AND project = ?`, id, project);
    },
    async promote(id, project, promotion) {
      written({ project, session: undefined });
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
    async removeBefore(at, except) {
      written({ project: undefined, session: undefined });
      sql.run("DELETE FROM archive_savings WHERE at < ?", at);
      sql.run("DELETE FROM archive_snapshots WHERE at < ?", at);
      const removed = sql.run(
        "DELETE FROM archive WHERE at < ? AND id NOT IN (SELECT value FROM json_each(?))",
        at,
        JSON.stringify(except),
      ).changes;
      sql.run(
        `DELETE FROM archive_workflows WHERE last_at < ? AND NOT EXISTS
           (SELECT 1 FROM archive WHERE archive.project = archive_workflows.project AND workflow = key)`,
        at,
      );
      return removed;
    },
    async removeProject(project) {
      written({ project, session: undefined });
      for (const table of ["workflows", "savings", "snapshots", "defaults", "queries"])
        sql.run(`DELETE FROM archive_${table} WHERE project = ?`, project);
      return sql.run("DELETE FROM archive WHERE project = ?", project).changes;
    },
  };
}

/** A run that ends again is the same execution. */
function keepWorkflow(
  sql: Sql,
  project: ProjectId,
  { id, session, title, at, workflow }: NewEntry,
): string | undefined {
  if (workflow === undefined) return undefined;
  const definition = JSON.stringify(workflow);
  const key = hash("sha256", definition, "hex").slice(0, 16);
  const known = sql.get("SELECT workflow FROM archive WHERE id = ?", id)?.workflow;
  sql.run(
    `INSERT INTO archive_workflows (project, key, session, title, definition, executions, created_at, last_at)
     VALUES (?, ?, ?, ?, ?, 1, ?, ?)
     ON CONFLICT (project, key) DO UPDATE SET executions = executions + ?, last_at = excluded.last_at`,
    project,
    key,
    session,
    title,
    definition,
    at,
    at,
    known === key ? 0 : 1,
  );
  return key;
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
    .map(withCursor);
}

function withCursor(row: SqlRow): HistoryEntry & { readonly cursor: string } {
  return { ...toEntry(row), cursor: `${String(row.at)}-${String(row.number)}` };
}

function countEntries(sql: Sql, filter: EntryFilter): number {
  const { where, values } = conditionsOf(filter);
  return Number(sql.get(`SELECT count(*) AS entries FROM archive WHERE ${where}`, ...values)?.entries);
}

function cursorParts(cursor: string): readonly [number, number] {
  const [at = Number.NaN, number = Number.NaN] = cursor.split("-").map(Number);
  return [at, number];
}
