/** How paths went from hand to hand, counted in SQLite over the reservations that are still kept. */
import type { ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { PathStats, StatsQuery } from "./store.ts";

/** A hand-over: the next exclusive holder of a path is another agent. Back and forth: it is the one before the last. */
const perPath = `
WITH held AS (
  SELECT named.value AS path, holder, acquired_at, reservations.id, waited_ms, taken_back
    FROM reservations, json_each(paths) AS named WHERE project = ? AND acquired_at >= ? AND mode = 'exclusive'
  UNION ALL
  SELECT named.value, holder, acquired_at, reservations.id, waited_ms, taken_back
    FROM reservations, json_each(patterns) AS named WHERE project = ? AND acquired_at >= ? AND mode = 'exclusive'
), followed AS (
  SELECT *, lag(holder) OVER line AS before, lag(holder, 2) OVER line AS earlier FROM held
    WINDOW line AS (PARTITION BY path ORDER BY acquired_at, id)
), waits AS (
  SELECT path, sum(given_up) AS given_up, sum(waited_ms) AS waited_ms FROM reservation_waits
    WHERE project = ? AND hour >= ? GROUP BY path
), counted AS (
  SELECT path, count(*) AS grants, sum(before IS NOT NULL AND before <> holder) AS hand_overs,
    sum(before <> holder AND earlier = holder) AS back_and_forth, sum(waited_ms) AS waited_ms, sum(taken_back) AS grace_hits
    FROM followed GROUP BY path
)
SELECT coalesce(counted.path, waits.path) AS path, coalesce(grants, 0) AS grants, coalesce(hand_overs, 0) AS hand_overs,
  coalesce(back_and_forth, 0) AS back_and_forth, coalesce(counted.waited_ms, 0) + coalesce(waits.waited_ms, 0) AS waited_ms,
  coalesce(given_up, 0) AS given_up, coalesce(grace_hits, 0) AS grace_hits
FROM counted FULL JOIN waits ON waits.path = counted.path
ORDER BY hand_overs DESC, waited_ms DESC, path`;

const hourMs = 3_600_000;

export function readStats(sql: Sql, { project, since }: StatsQuery): readonly PathStats[] {
  return sql.all(perPath, project, since, project, since, project, Math.floor(since / hourMs)).map(toStats);
}

export function addLostWait(
  sql: Sql,
  { project, paths, waitedMs, at }: { project: ProjectId; paths: readonly string[]; waitedMs: number; at: number },
): void {
  for (const path of paths)
    sql.run(
      `INSERT INTO reservation_waits (project, hour, path, given_up, waited_ms) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET given_up = given_up + 1, waited_ms = waited_ms + excluded.waited_ms`,
      project,
      Math.floor(at / hourMs),
      path,
      waitedMs,
    );
}

export function removeWaitsBefore(sql: Sql, at: number): void {
  sql.run("DELETE FROM reservation_waits WHERE hour < ?", Math.floor(at / hourMs));
}

function toStats(row: SqlRow): PathStats {
  return {
    path: String(row.path),
    grants: Number(row.grants),
    handOvers: Number(row.hand_overs),
    backAndForth: Number(row.back_and_forth),
    waitedMs: Number(row.waited_ms),
    givenUp: Number(row.given_up),
    graceHits: Number(row.grace_hits),
  };
}
