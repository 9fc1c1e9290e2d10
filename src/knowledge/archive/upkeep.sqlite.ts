/** Rows that compaction, snapshots and chosen sessions read and write. */
import type { ArchiveSession, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import { toEntry } from "./entry-row.ts";
import type { ArchiveRepository, Snapshot, Written } from "./store.ts";

type UpkeepRows = Pick<
  ArchiveRepository,
  "compactible" | "remove" | "saveSnapshot" | "findSnapshot" | "restoreSnapshot" | "chosenSession" | "chooseSession"
>;

/** Other questions need these one by one: what was run, what a session was, what the user prefers. */
const neverCompacted = ["workflow", "session", "timeline", "user_preference"];
const keptSnapshots = 5;
const columns = [
  "id",
  "session",
  "category",
  "kind",
  "source",
  "status",
  "title",
  "words",
  "content",
  "tokens",
  "workflow",
  "failure",
  "kept",
  "archived",
  "promotion",
  "at",
] as const;

export function upkeepRows(sql: Sql, onWritten: (written: Written) => void): UpkeepRows {
  return {
    async compactible(project, session, before) {
      const rows = sql.all(
        `SELECT * FROM archive WHERE project = ? AND session = coalesce(?, session) AND at < ? AND kind = 'entry' AND kept = 0
         AND promotion IS NULL AND category NOT IN (SELECT value FROM json_each(?)) ORDER BY at, number`,
        project,
        session ?? null,
        before,
        JSON.stringify(neverCompacted),
      );
      return rows.map(toEntry);
    },
    async remove(project, ids) {
      onWritten({ project, session: undefined });
      return sql.run(
        "DELETE FROM archive WHERE project = ? AND id IN (SELECT value FROM json_each(?))",
        project,
        JSON.stringify(ids),
      ).changes;
    },
    async saveSnapshot(project, { id, session, at }, sparing = id) {
      const rows = rowsOf(sql, project, session);
      sql.run(
        "INSERT INTO archive_snapshots (id, project, session, entries, data, at) VALUES (?, ?, ?, ?, ?, ?)",
        id,
        project,
        session,
        rows.length,
        JSON.stringify(rows),
        at,
      );
      sql.run(
        `DELETE FROM archive_snapshots WHERE project = ? AND session = ? AND id <> ? AND id NOT IN
           (SELECT id FROM archive_snapshots WHERE project = ? AND session = ? ORDER BY at DESC, id DESC LIMIT ?)`,
        project,
        session,
        sparing,
        project,
        session,
        keptSnapshots,
      );
      return { id, session, entries: rows.length, at };
    },
    async findSnapshot(id, project) {
      const row = sql.get("SELECT * FROM archive_snapshots WHERE id = ? AND project = ?", id, project);
      return row === undefined ? undefined : toSnapshot(row);
    },
    async restoreSnapshot(id, project) {
      const { session, data } = sql.get("SELECT * FROM archive_snapshots WHERE id = ? AND project = ?", id, project)!;
      const rows = JSON.parse(String(data)) as readonly SqlRow[];
      const saved = new Set(rows.map((row) => row.id));
      const removed = rowsOf(sql, project, String(session)).filter((row) => !saved.has(row.id)).length;
      sql.run("DELETE FROM archive WHERE project = ? AND session = ?", project, String(session));
      const places = columns.map(() => "?").join(", ");
      for (const row of rows)
        sql.run(
          `INSERT INTO archive (project, ${columns.join(", ")}) VALUES (?, ${places})`,
          project,
          ...columns.map((column): SqlValue => row[column] ?? null),
        );
      onWritten({ project, session: undefined });
      return removed;
    },
    chosenSession: async (project, client) =>
      sql.get("SELECT session FROM archive_defaults WHERE project = ? AND client = ?", project, client)?.session as
        | ArchiveSession
        | undefined,
    async chooseSession(project, client, session) {
      if (session === undefined)
        sql.run("DELETE FROM archive_defaults WHERE project = ? AND client = ?", project, client);
      else
        sql.run(
          "INSERT OR REPLACE INTO archive_defaults (project, client, session) VALUES (?, ?, ?)",
          project,
          client,
          session,
        );
    },
  };
}

function rowsOf(sql: Sql, project: ProjectId, session: string): readonly SqlRow[] {
  return sql.all(
    `SELECT ${columns.join(", ")} FROM archive WHERE project = ? AND session = ? ORDER BY number`,
    project,
    session,
  );
}

function toSnapshot({ id, session, entries, at }: SqlRow): Snapshot {
  return { id: String(id), session: session as ArchiveSession, entries: Number(entries), at: Number(at) };
}
