/** Reservations' rows in SQLite. */
import type { AgentId, ClientKind, ProjectId, ReservationId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { ReservationRecord, ReservationRepository } from "./store.ts";

const select =
  "SELECT reservations.*, agents.name AS holder_name, agents.client AS holder_client FROM reservations JOIN agents ON agents.id = reservations.holder";

export function sqliteReservations(sql: Sql): ReservationRepository {
  return {
    async insert(record) {
      const { id, project, tree, scope, holder, mode, paths, patterns, reason, ttlMs, fencingToken, acquiredAt } =
        record;
      sql.run(
        `INSERT INTO reservations (id, project, tree, scope, holder, mode, paths, patterns, reason, ttl_ms, fencing_token, acquired_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        project,
        tree,
        scope,
        holder.id,
        mode,
        JSON.stringify(paths),
        JSON.stringify(patterns),
        reason ?? null,
        ttlMs,
        fencingToken,
        acquiredAt,
      );
    },
    async find(id) {
      const row = sql.get(`${select} WHERE reservations.id = ?`, id);
      return row && toRecord(row);
    },
    async live(project) {
      const rows =
        project === undefined
          ? sql.all(`${select} WHERE reservations.ended_at IS NULL ORDER BY reservations.id`)
          : sql.all(
              `${select} WHERE reservations.ended_at IS NULL AND reservations.project = ? ORDER BY reservations.id`,
              project,
            );
      return rows.map(toRecord);
    },
    async liveOf(project, holder) {
      return sql
        .all(
          `${select} WHERE reservations.ended_at IS NULL AND reservations.project = ? AND holder = ? ORDER BY reservations.id`,
          project,
          holder,
        )
        .map(toRecord);
    },
    async setTtl(id, ttlMs) {
      sql.run("UPDATE reservations SET ttl_ms = ? WHERE id = ?", ttlMs, id);
    },
    async end(id, at) {
      sql.run("UPDATE reservations SET ended_at = ? WHERE id = ?", at, id);
    },
    async removeEndedBefore(at) {
      return sql.run("DELETE FROM reservations WHERE ended_at < ?", at).changes;
    },
    async kept({ project, after, limit }) {
      return sql
        .all(
          `${select} WHERE reservations.project = coalesce(?, reservations.project) AND reservations.id > ? ORDER BY reservations.id LIMIT ?`,
          project ?? null,
          after ?? "",
          limit,
        )
        .map(toRecord);
    },
    holders: async () => sql.all("SELECT DISTINCT holder FROM reservations").map((row) => row.holder as AgentId),
    async removeProject(project) {
      sql.run("DELETE FROM fencing_tokens WHERE project = ?", project);
      return sql.run("DELETE FROM reservations WHERE project = ?", project).changes;
    },
    async nextFencingToken(project) {
      const row = sql.get(
        "INSERT INTO fencing_tokens (project, last) VALUES (?, 1) ON CONFLICT (project) DO UPDATE SET last = last + 1 RETURNING last",
        project,
      );
      return Number(row?.last);
    },
  };
}

function toRecord(row: SqlRow): ReservationRecord {
  return {
    id: row.id as ReservationId,
    project: row.project as ProjectId,
    tree: String(row.tree),
    scope: row.scope as ReservationRecord["scope"],
    holder: { id: row.holder as AgentId, name: String(row.holder_name), client: row.holder_client as ClientKind },
    mode: row.mode as ReservationRecord["mode"],
    paths: JSON.parse(String(row.paths)) as string[],
    patterns: JSON.parse(String(row.patterns)) as string[],
    ...(row.reason === null ? {} : { reason: String(row.reason) }),
    ttlMs: Number(row.ttl_ms),
    fencingToken: Number(row.fencing_token),
    acquiredAt: Number(row.acquired_at),
    endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
  };
}
