/** The archive's rows in SQLite. */
import type { HistoryEntry, SessionId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { ArchiveRepository } from "./store.ts";

export function sqliteArchive(sql: Sql): ArchiveRepository {
  return {
    async keep(project, { id, session, category, title, content, at }) {
      sql.run(
        "INSERT OR REPLACE INTO archive_entries (id, project, session, category, title, content, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        id,
        project,
        session,
        category,
        title,
        JSON.stringify(content),
        at,
      );
    },
    async list({ project, words, before, limit }) {
      const rows = sql.all(
        `SELECT * FROM archive_entries WHERE project = coalesce(?, project) AND id < coalesce(?, 'zzzz')
         AND NOT EXISTS (SELECT 1 FROM json_each(?) AS word WHERE instr(lower(title || content), word.value) = 0) ORDER BY id DESC LIMIT ?`,
        project ?? null,
        before ?? null,
        JSON.stringify(words.map((word) => word.toLowerCase())),
        limit,
      );
      return rows.map(toEntry);
    },
    removeBefore: async (at, except) =>
      sql.run(
        "DELETE FROM archive_entries WHERE at < ? AND id NOT IN (SELECT value FROM json_each(?))",
        at,
        JSON.stringify(except),
      ).changes,
    removeProject: async (project) => sql.run("DELETE FROM archive_entries WHERE project = ?", project).changes,
  };
}

function toEntry(row: SqlRow): HistoryEntry {
  return {
    id: String(row.id),
    session: row.session as SessionId,
    category: String(row.category),
    title: String(row.title),
    content: JSON.parse(String(row.content)) as HistoryEntry["content"],
    at: Number(row.at),
  };
}
