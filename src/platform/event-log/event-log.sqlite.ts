/** The event log's rows in SQLite. */
import type { EventId, LogEvent, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../store/index.ts";
import type { EventPorts, EventQuery, EventRepository } from "./event-log.ts";

export function sqliteEvents({ clock, ids, onAppended }: EventPorts): (sql: Sql) => EventRepository {
  return (sql) => ({
    async append(project, { type, version, subject, data }) {
      const id = ids.next("evt");
      const at = clock.now();
      const { lastInsertRowid } = sql.run(
        "INSERT INTO events (id, type, version, project, subject, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        id,
        type,
        version,
        project,
        subject,
        at,
        JSON.stringify(data),
      );
      const event: LogEvent = {
        sequence: lastInsertRowid,
        id,
        type,
        version,
        project,
        subject,
        at,
        data: data as LogEvent["data"],
      };
      sql.afterCommit(() => onAppended(event));
      return event;
    },
    page: async (query) => readPage(sql, query),
    async mentioning({ project, text, upTo, limit }) {
      const rows = sql.all(
        "SELECT * FROM events WHERE project = ? AND sequence <= ? AND (subject = ? OR instr(data, ?) > 0) ORDER BY sequence DESC LIMIT ?",
        project,
        upTo,
        text,
        text,
        limit,
      );
      return rows.map(toEvent);
    },
    async bounds() {
      const row = sql.get(
        "SELECT (SELECT min(sequence) FROM events) AS oldest, (SELECT seq FROM sqlite_sequence WHERE name = 'events') AS newest",
      );
      const newest = Number(row?.newest ?? 0);
      return { oldest: Number(row?.oldest ?? newest + 1), newest };
    },
    async truncate(before, maxCount) {
      const newest = Number(sql.get("SELECT max(sequence) AS newest FROM events")?.newest ?? 0);
      // The wall clock may jump; only a prefix of the log is ever removed, so a cursor is either whole or truncated.
      const keepFrom = sql.get("SELECT min(sequence) AS first FROM events WHERE at >= ?", before)?.first ?? newest + 1;
      return sql.run("DELETE FROM events WHERE sequence < ?", Math.max(Number(keepFrom), newest - maxCount + 1))
        .changes;
    },
  });
}

function readPage(sql: Sql, { after, limit, types, project }: EventQuery) {
  const conditions = ["sequence > ?"];
  const values: SqlValue[] = [after];
  if (project !== undefined) {
    conditions.push("project = ?");
    values.push(project);
  }
  if (types !== undefined) {
    conditions.push("type IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(types));
  }
  const rows = sql.all(
    `SELECT * FROM events WHERE ${conditions.join(" AND ")} ORDER BY sequence LIMIT ?`,
    ...values,
    limit + 1,
  );
  const events = rows.slice(0, limit).map(toEvent);
  const more = rows.length > limit;
  // Without more to come the reader has seen everything up to the log's end, also what its filter passed over.
  const end = more
    ? events.at(-1)!.sequence
    : Number(sql.get("SELECT max(sequence) AS newest FROM events")?.newest ?? 0);
  return { events, more, lastSequence: Math.max(after, end, events.at(-1)?.sequence ?? 0) };
}

function toEvent(row: SqlRow): LogEvent {
  return {
    sequence: Number(row.sequence),
    id: row.id as EventId,
    type: String(row.type),
    version: Number(row.version),
    project: row.project as ProjectId,
    subject: String(row.subject),
    at: Number(row.at),
    data: JSON.parse(String(row.data)) as LogEvent["data"],
  };
}
