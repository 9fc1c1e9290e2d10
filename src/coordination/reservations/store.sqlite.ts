/** Reservations' rows in SQLite. */
import type { AgentId, ProjectId, ReservationId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import { compileStored } from "./covered-paths.ts";
import { placeOf } from "./places.ts";
import { addLostWait, readStats, removeWaitsBefore } from "./stats.sqlite.ts";
import type { HeldPaths, Near, RequestRecord, ReservationRecord, ReservationRepository } from "./store.ts";

const select =
  "SELECT reservations.*, agents.name AS holder_name, agents.client AS holder_client FROM reservations JOIN agents ON agents.id = reservations.holder";

const selectLiveOf = `${select} WHERE reservations.ended_at IS NULL AND reservations.project = ? AND holder = ? ORDER BY reservations.id`;
const selectGrantsOf = `${select} WHERE reservations.project = ? AND holder = ?`;
/** What a reservation's record is read from. */
const tables = "reservations agents";

/** By place, never by row number: there may be very many rows. */
const selectPlaces = `SELECT places.rowid AS position, places.place, places.kind, places.source, reservations.*, agents.name AS holder_name,
  agents.client AS holder_client FROM reservation_places AS places INDEXED BY reservation_places_by_place
  JOIN reservations ON reservations.id = places.reservation JOIN agents ON agents.id = reservations.holder
  WHERE places.project = ? AND`;

/** Chosen here and not by the caller: of the rows of a busy project, each of many commits concerns a few. */
const selectHeld = "SELECT holder, paths, patterns FROM reservations WHERE";
const concerned = `project = ? AND (patterns <> '[]'
  OR EXISTS (SELECT 1 FROM json_each(paths) AS own WHERE own.value IN (SELECT value FROM json_each(?))))`;

export function sqliteReservations(sql: Sql): ReservationRepository {
  return {
    async insert(record) {
      const {
        id,
        project,
        tree,
        scope,
        holder,
        mode,
        paths,
        patterns,
        reason,
        ttlMs,
        fencingToken,
        tokens,
        acquiredAt,
        waitedMs,
      } = record;
      sql.run(
        `INSERT INTO reservations (id, project, tree, scope, holder, mode, paths, patterns, reason, ttl_ms, fencing_token, tokens, acquired_at, waited_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        storedTokens(tokens),
        acquiredAt,
        waitedMs,
      );
      insertPlaces(sql, record);
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
      return sql.recall(tables, `live ${project} ${holder}`, () =>
        sql.all(selectLiveOf, project, holder).map(toRecord),
      );
    },
    async grantsOf(project, holder) {
      return sql.recall(tables, `${project} ${holder}`, () => sql.all(selectGrantsOf, project, holder).map(toRecord));
    },
    async grantsAfter(project, token, path) {
      const rows = sql.all(
        `${select} WHERE reservations.project = ? AND fencing_token > ?
           AND (patterns <> '[]' OR EXISTS (SELECT 1 FROM json_each(paths) WHERE value = ? COLLATE NOCASE)) ORDER BY fencing_token DESC`,
        project,
        token,
        path,
      );
      return rows.map(toRecord);
    },
    async at(project, place, { after, limit }) {
      const rows = sql.all(
        `${selectPlaces} place = ? AND places.rowid > ? ORDER BY places.rowid LIMIT ?`,
        project,
        place,
        after?.position ?? 0,
        limit,
      );
      return rows.map(toNear);
    },
    async below(project, folder, { after, limit }) {
      // "0" is the character after "/"; below the root is everything but the root itself.
      const [first, end] = folder === "" ? ["", "\u{10ffff}"] : [`${folder}/`, `${folder}0`];
      const rows = sql.all(
        `${selectPlaces} place < ? AND (place, places.rowid) > (?, ?) ORDER BY place, places.rowid LIMIT ?`,
        project,
        end,
        after?.place ?? first,
        after?.position ?? Number.MAX_SAFE_INTEGER,
        limit,
      );
      return rows.map(toNear);
    },
    async widen(record) {
      const { id, mode, scope, paths, patterns, reason, ttlMs, fencingToken, tokens, waitedMs, takenBack } = record;
      sql.run(
        `UPDATE reservations SET mode = ?, scope = ?, paths = ?, patterns = ?, reason = ?, ttl_ms = ?, fencing_token = ?, tokens = ?,
           waited_ms = ?, taken_back = ?, ended_at = NULL, ended_by = NULL WHERE id = ?`,
        mode,
        scope,
        JSON.stringify(paths),
        JSON.stringify(patterns),
        reason ?? null,
        ttlMs,
        fencingToken,
        storedTokens(tokens),
        waitedMs,
        takenBack,
        id,
      );
      sql.run("DELETE FROM reservation_places WHERE reservation = ?", id);
      insertPlaces(sql, record);
    },
    async end(id, at, by) {
      sql.run("UPDATE reservations SET ended_at = ?, ended_by = ? WHERE id = ?", at, by, id);
      sql.run("DELETE FROM reservation_places WHERE reservation = ?", id);
      sql.run("DELETE FROM release_requests WHERE reservation = ?", id);
    },
    async endedSince(at, { project, holder, fencingToken }) {
      return sql
        .all(
          `${select} WHERE reservations.ended_at >= ? AND reservations.project = ? AND holder <> ? AND fencing_token > ? ORDER BY fencing_token`,
          at,
          project,
          holder.id,
          fencingToken,
        )
        .map(toRecord);
    },
    async saveRequest({ reservation, requester, urgency, reason, state, etaMs, askedAt }) {
      sql.run(
        "INSERT OR REPLACE INTO release_requests (reservation, requester, urgency, reason, state, eta_ms, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        reservation,
        requester.id,
        urgency,
        reason ?? null,
        state,
        etaMs ?? null,
        askedAt,
      );
    },
    async requestsFor(id) {
      const rows = sql.all(
        "SELECT release_requests.*, agents.name, agents.client FROM release_requests JOIN agents ON agents.id = requester WHERE reservation = ? ORDER BY asked_at, requester",
        id,
      );
      return rows.map(toRequest);
    },
    openRequests: async (project) =>
      sql
        .all(
          `SELECT release_requests.*, agents.name, agents.client FROM release_requests
           JOIN agents ON agents.id = requester JOIN reservations ON reservations.id = reservation
           WHERE reservations.ended_at IS NULL AND reservations.project = coalesce(?, reservations.project)
           ORDER BY asked_at, requester`,
          project ?? null,
        )
        .map(toRequest),
    askedOfPersons: async (project) =>
      sql
        .all(
          `SELECT release_requests.*, askers.name, askers.client FROM release_requests
           JOIN agents AS askers ON askers.id = requester JOIN reservations ON reservations.id = reservation
           JOIN agents AS holders ON holders.id = reservations.holder
           WHERE state = 'open' AND reservations.ended_at IS NULL AND holders.client = 'human'
             AND reservations.project = coalesce(?, reservations.project) ORDER BY asked_at, requester`,
          project ?? null,
        )
        .map(toRequest),
    async heldSince(project, at, paths) {
      const wanted = JSON.stringify(paths);
      const live = sql.all(`${selectHeld} ended_at IS NULL AND ${concerned}`, project, wanted);
      const ended = sql.all(`${selectHeld} ended_at >= ? AND ${concerned}`, at, project, wanted);
      return [...live, ...ended].map(toHeldPaths);
    },
    stats: async (query) => readStats(sql, query),
    addLostWait: async (wait) => addLostWait(sql, wait),
    async removeEndedBefore(at) {
      removeWaitsBefore(sql, at);
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
      sql.run("DELETE FROM reservation_waits WHERE project = ?", project);
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

function insertPlaces(sql: Sql, { id, project, tree, paths, patterns }: ReservationRecord): void {
  for (const compiled of compileStored({ paths, patterns, tree })) {
    const { place, kind, source } = placeOf(compiled);
    sql.run(
      "INSERT INTO reservation_places (project, place, kind, source, reservation) VALUES (?, ?, ?, ?, ?)",
      project,
      place,
      kind,
      source,
      id,
    );
  }
}

function storedTokens(tokens: ReservationRecord["tokens"]): string {
  return JSON.stringify(tokens.map(({ token, paths, patterns }) => [token, paths, patterns]));
}

function toTokens(stored: unknown): ReservationRecord["tokens"] {
  const rows = JSON.parse(String(stored)) as [number, number, number][];
  return rows.map(([token, paths, patterns]) => ({ token, paths, patterns }));
}

function toRequest(row: SqlRow): RequestRecord {
  return {
    reservation: row.reservation as ReservationId,
    requester: { id: row.requester as AgentId, name: String(row.name), client: String(row.client) },
    urgency: row.urgency as RequestRecord["urgency"],
    ...(row.reason === null ? {} : { reason: String(row.reason) }),
    state: row.state as RequestRecord["state"],
    etaMs: row.eta_ms === null ? undefined : Number(row.eta_ms),
    askedAt: Number(row.asked_at),
  };
}

function toHeldPaths(row: SqlRow): HeldPaths {
  return {
    holder: row.holder as AgentId,
    paths: JSON.parse(String(row.paths)) as string[],
    patterns: JSON.parse(String(row.patterns)) as string[],
  };
}

function toNear(row: SqlRow): Near {
  return {
    record: toRecord(row),
    place: String(row.place),
    kind: row.kind as Near["kind"],
    source: String(row.source),
    position: Number(row.position),
  };
}

function toRecord(row: SqlRow): ReservationRecord {
  return {
    id: row.id as ReservationId,
    project: row.project as ProjectId,
    tree: String(row.tree),
    scope: row.scope as ReservationRecord["scope"],
    holder: { id: row.holder as AgentId, name: String(row.holder_name), client: String(row.holder_client) },
    mode: row.mode as ReservationRecord["mode"],
    paths: JSON.parse(String(row.paths)) as string[],
    patterns: JSON.parse(String(row.patterns)) as string[],
    ...(row.reason === null ? {} : { reason: String(row.reason) }),
    ttlMs: Number(row.ttl_ms),
    fencingToken: Number(row.fencing_token),
    tokens: toTokens(row.tokens),
    acquiredAt: Number(row.acquired_at),
    waitedMs: Number(row.waited_ms),
    takenBack: Number(row.taken_back),
    endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
    endedBy: (row.ended_by ?? undefined) as ReservationRecord["endedBy"],
  };
}
