/** The event log's rows in SQLite. */
import type { EventId, LogEvent, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../store/index.ts";
import type { EventPorts, EventQuery, EventRepository, EventTally } from "./event-log.ts";

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
    removeProject: async (project) => sql.run("DELETE FROM events WHERE project = ?", project).changes,
    tally: async (project) => tallyOf(sql, project),
  });
}

/** Sizes are those of the newest ones: reading all of them to say how much they take would be the slowest of reads. */
const sampled = 100;

function tallyOf(sql: Sql, project: ProjectId): EventTally {
  const total = Number(sql.get("SELECT count(*) AS total FROM events WHERE project = ?", project)?.total);
  const newest = sql.get(
    `SELECT avg(length(data) + length(id) + length(project) + length(subject) + length(type)) AS bytes, max(at) AS last_at
     FROM (SELECT * FROM events WHERE project = ? ORDER BY sequence DESC LIMIT ${sampled})`,
    project,
  );
  const lastAt = newest?.last_at ?? null;
  return {
    total,
    bytes: Math.round(total * Number(newest?.bytes ?? 0)),
    lastAt: lastAt === null ? undefined : Number(lastAt),
  };
}

function readPage(sql: Sql, query: EventQuery) {
  const { after, limit } = query;
  const { where, values } = conditionsOf(query);
  if (query.newest === true) {
    const last = sql.all(`SELECT * FROM events WHERE ${where} ORDER BY sequence DESC LIMIT ?`, ...values, limit);
    const newest = Number(sql.get("SELECT max(sequence) AS newest FROM events")?.newest ?? 0);
    return { events: last.toReversed().map(toEvent), more: false, lastSequence: Math.max(after, newest) };
  }
  const count = query.maxBytes === undefined ? limit : fittingCount(sql, query, query.maxBytes);
  const rows = sql.all(`SELECT * FROM events WHERE ${where} ORDER BY sequence LIMIT ?`, ...values, count + 1);
  const events = rows.slice(0, count).map(toEvent);
  const more = rows.length > count;
  // Without more to come the reader has seen everything up to the log's end, also what its filter passed over.
  const end = more
    ? events.at(-1)!.sequence
    : Number(sql.get("SELECT max(sequence) AS newest FROM events")?.newest ?? 0);
  return { events, more, lastSequence: Math.max(after, end, events.at(-1)?.sequence ?? 0) };
}

/** How many events fit into the bytes, at least one; their data is measured without being read. */
function fittingCount(sql: Sql, query: EventQuery, maxBytes: number): number {
  const { where, values } = conditionsOf(query);
  const sizes = sql.all(
    `SELECT octet_length(data) AS size FROM events WHERE ${where} ORDER BY sequence LIMIT ?`,
    ...values,
    query.limit,
  );
  let left = maxBytes;
  const tooMuch = sizes.findIndex(({ size }, index) => (left -= Number(size)) < 0 && index > 0);
  return tooMuch === -1 ? query.limit : tooMuch;
}

function conditionsOf({ after, types, project }: EventQuery): { where: string; values: readonly SqlValue[] } {
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
  return { where: conditions.join(" AND "), values };
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
