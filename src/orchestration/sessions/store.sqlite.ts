/** The tables of sessions in SQLite. */
import type { ProjectId, Session, SessionId, SessionState } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { SessionRepository } from "./store.ts";

export function sqliteSessions(sql: Sql): SessionRepository {
  return { ...sessionRows(sql), ...snapshotRows(sql), ...focusRows(sql), ...preferenceRows(sql) };
}

type Part<Names extends keyof SessionRepository> = Pick<SessionRepository, Names>;

function sessionRows(sql: Sql): Part<"insert" | "update" | "find" | "list" | "countByState" | "openIds"> {
  return {
    async insert(session) {
      sql.run(
        `INSERT INTO sessions (id, project, implicit, created_at, name, description, branch, state, metadata, reason, updated_at,
           started_at, paused_at, suspended_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        session.id,
        session.project,
        session.implicit ? 1 : 0,
        session.createdAt,
        ...changeable(session),
      );
    },
    async update(session) {
      sql.run(
        `UPDATE sessions SET name = ?, description = ?, branch = ?, state = ?, metadata = ?, reason = ?, updated_at = ?,
           started_at = ?, paused_at = ?, suspended_at = ?, ended_at = ? WHERE id = ?`,
        ...changeable(session),
        session.id,
      );
    },
    async find(id) {
      const row = sql.get("SELECT * FROM sessions WHERE id = ?", id);
      return row && toSession(row);
    },
    async list({ project, state, before, limit }) {
      const wanted = [
        ["project = ?", project],
        ["state = ?", state],
        ["id < ?", before],
      ].filter((condition): condition is [string, string] => condition[1] !== undefined);
      const where = wanted.length === 0 ? "" : `WHERE ${wanted.map(([condition]) => condition).join(" AND ")}`;
      return sql
        .all(`SELECT * FROM sessions ${where} ORDER BY id DESC LIMIT ?`, ...wanted.map(([, value]) => value), limit)
        .map(toSession);
    },
    async countByState(project) {
      const rows = sql.all(
        "SELECT state, count(*) AS sessions FROM sessions WHERE project = coalesce(?, project) GROUP BY state",
        project ?? null,
      );
      return Object.fromEntries(rows.map((row) => [row.state as SessionState, Number(row.sessions)]));
    },
    openIds: async () =>
      sql
        .all("SELECT id FROM sessions WHERE state IN ('created', 'active', 'paused') AND implicit = 0")
        .map((row) => row.id as SessionId),
  };
}

function snapshotRows(sql: Sql): Part<"saveSnapshot" | "findSnapshot" | "removeSnapshot"> {
  return {
    async saveSnapshot({ session, schema, checksum, content, savedAt }) {
      sql.run(
        "INSERT OR REPLACE INTO session_snapshots (session, schema, checksum, content, saved_at) VALUES (?, ?, ?, ?, ?)",
        session,
        schema,
        checksum,
        content,
        savedAt,
      );
    },
    async findSnapshot(id) {
      const row = sql.get("SELECT * FROM session_snapshots WHERE session = ?", id);
      return (
        row && {
          session: row.session as SessionId,
          schema: Number(row.schema),
          checksum: String(row.checksum),
          content: String(row.content),
          savedAt: Number(row.saved_at),
        }
      );
    },
    async removeSnapshot(id) {
      sql.run("DELETE FROM session_snapshots WHERE session = ?", id);
    },
  };
}

function focusRows(sql: Sql): Part<"focusOf" | "setFocus" | "removeFocusOn"> {
  return {
    focusOf: async (client) =>
      sql.get("SELECT session FROM session_focus WHERE client = ?", client)?.session as SessionId | undefined,
    async setFocus(client, session, since) {
      sql.run("INSERT OR REPLACE INTO session_focus (client, session, since) VALUES (?, ?, ?)", client, session, since);
    },
    async removeFocusOn(session) {
      sql.run("DELETE FROM session_focus WHERE session = ?", session);
    },
  };
}

function preferenceRows(sql: Sql): Part<"promotedPreferences" | "promote" | "withdraw"> {
  return {
    promotedPreferences: async (project) =>
      Object.fromEntries(
        sql
          .all("SELECT name, value FROM promoted_preferences WHERE project = ?", project)
          .map((row) => [String(row.name), String(row.value)]),
      ),
    async promote(project, name, value) {
      sql.run(
        "INSERT OR REPLACE INTO promoted_preferences (project, name, value) VALUES (?, ?, ?)",
        project,
        name,
        value,
      );
    },
    async withdraw(project, name) {
      sql.run("DELETE FROM promoted_preferences WHERE project = ? AND name = ?", project, name);
    },
  };
}

function changeable(session: Session): readonly SqlValue[] {
  return [
    session.name,
    session.description,
    session.branch ?? null,
    session.state,
    JSON.stringify(session.metadata),
    session.reason ?? null,
    session.updatedAt,
    session.startedAt ?? null,
    session.pausedAt ?? null,
    session.suspendedAt ?? null,
    session.endedAt ?? null,
  ];
}

function toSession(row: SqlRow): Session {
  const optional = {
    branch: row.branch,
    reason: row.reason,
    startedAt: row.started_at,
    pausedAt: row.paused_at,
    suspendedAt: row.suspended_at,
    endedAt: row.ended_at,
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
  return {
    id: row.id as SessionId,
    project: row.project as ProjectId,
    name: String(row.name),
    description: String(row.description),
    state: row.state as SessionState,
    metadata: JSON.parse(String(row.metadata)) as Session["metadata"],
    implicit: row.implicit === 1,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(known as Partial<Session>),
  };
}
