/**
 * Deletes runs from SQLite, with all rows that belong to them. The session of the last run is deleted, too, unless a user
 * created it and has not ended it.
 */
import type { RunId } from "../../contract/index.ts";
import type { Sql, SqlValue } from "../../platform/store/index.ts";
import type { Workspace } from "../sessions/index.ts";
import type { RemovedRuns, RunRepository } from "./store.ts";

const finished = "status IN ('verified', 'unverified', 'failed', 'cancelled')";
/** The change waits to be merged or discarded. A run without a commit has nothing to merge. */
const waits = "outcome = 'open' AND commit_id IS NOT NULL";
const parts = ["run_checks", "run_findings"] as const;

export function runRemoval(
  sql: Sql,
): Pick<RunRepository, "removeFinishedBefore" | "removeProject" | "idsOf" | "tally"> {
  return {
    async removeFinishedBefore(at) {
      const old = `${finished} AND updated_at < ?`;
      const kept = sql.get(`SELECT count(*) AS kept FROM runs WHERE ${old} AND ${waits}`, at)?.kept;
      const { sessions, ...removed } = removeRuns(sql, `${old} AND NOT (${waits})`, at);
      const ended = sql.run(
        "DELETE FROM sessions WHERE ended_at < ? AND NOT EXISTS (SELECT 1 FROM runs WHERE session = sessions.id)",
        at,
      ).changes;
      return { ...removed, sessions: sessions + ended, keptOpen: Number(kept) };
    },
    async removeProject(project) {
      const { sessions, ...removed } = removeRuns(sql, "project = ?", project);
      const empty = sql.run("DELETE FROM sessions WHERE project = ?", project).changes;
      return { ...removed, sessions: sessions + empty };
    },
    idsOf: async (project) =>
      sql
        .all("SELECT id FROM runs WHERE project = coalesce(?, project)", project ?? null)
        .map((row) => row.id as RunId),
    async tally(project) {
      const row = sql.get(
        `SELECT count(*) AS total, count(*) FILTER (WHERE NOT ${finished}) AS unfinished,
           coalesce(sum(length(request) + length(options) + coalesce(length(plan), 0) + 300 +
             (SELECT coalesce(sum(length(change)), 0) FROM dag_versions WHERE dag = runs.id) +
             (SELECT coalesce(sum(length(record)), 0) FROM dag_nodes WHERE dag = runs.id) +
             (SELECT coalesce(sum(length(data)), 0) FROM run_checks WHERE run = runs.id) +
             (SELECT coalesce(sum(length(data)), 0) FROM run_findings WHERE run = runs.id)), 0) AS bytes
         FROM runs WHERE project = ?`,
        project,
      );
      return { total: Number(row?.total), unfinished: Number(row?.unfinished), bytes: Number(row?.bytes) };
    },
  };
}

function removeRuns(sql: Sql, condition: string, value: SqlValue): RemovedRuns {
  const rows = sql.all(
    `SELECT id, session, outcome, workspace, cleared FROM runs WHERE ${condition} ORDER BY id`,
    value,
  );
  const ids = JSON.stringify(rows.map((row) => row.id as RunId));
  for (const part of parts) sql.run(`DELETE FROM ${part} WHERE run IN (SELECT value FROM json_each(?))`, ids);
  sql.run("DELETE FROM dag_runs WHERE id IN (SELECT value FROM json_each(?))", ids); // this also deletes its approvals
  sql.run("DELETE FROM processes WHERE owner IN (SELECT value FROM json_each(?))", ids);
  sql.run("DELETE FROM runs WHERE id IN (SELECT value FROM json_each(?))", ids);
  const sessions = sql.run(
    `DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM runs WHERE session = sessions.id)
     AND NOT EXISTS (SELECT 1 FROM dag_runs WHERE session = sessions.id) AND (implicit = 1 OR ended_at IS NOT NULL)`,
    JSON.stringify(rows.map((row) => row.session)),
  ).changes;
  const workspaces = rows
    .filter((row) => row.workspace !== null && row.outcome !== "discarded" && row.cleared !== 1)
    .map((row) => JSON.parse(String(row.workspace)) as Workspace);
  return { runs: rows.length, sessions, workspaces };
}
