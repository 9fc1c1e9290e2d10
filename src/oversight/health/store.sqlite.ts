/** Health's rows in SQLite. */
import type { Cause, ComponentKind, Incident, IncidentId, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { Counters } from "./counters.ts";
import type { Failure, OpenIncident } from "./decide-incidents.ts";
import type { Latency } from "./latency.ts";
import type { HealthRepository, IncidentRecord } from "./store.ts";

export function sqliteHealth(sql: Sql): HealthRepository {
  return {
    components: async () => sql.all("SELECT * FROM health_components ORDER BY kind, component, agent").map(toCounters),
    setComponent: async (counters) => setComponent(sql, counters),
    failuresSince: async (at) =>
      sql
        .all("SELECT failure FROM health_failures WHERE at > ? ORDER BY at, rowid", at)
        .map((row) => JSON.parse(String(row.failure)) as Failure),
    async addFailures(failures, forgetBefore) {
      sql.run("DELETE FROM health_failures WHERE at < ?", forgetBefore);
      for (const failure of failures)
        sql.run(
          "INSERT INTO health_failures (at, project, failure) VALUES (?, ?, ?)",
          failure.at,
          failure.project ?? null,
          JSON.stringify(failure),
        );
    },
    openIncidents: async () => sql.all("SELECT * FROM incidents WHERE resolved_at IS NULL ORDER BY id").map(toIncident),
    setIncident: async (record) => setIncident(sql, record),
    async findIncident(id) {
      const row = sql.get("SELECT * FROM incidents WHERE id = ?", id);
      return row && toIncident(row);
    },
    listIncidents: async ({ all, before, limit }) =>
      sql
        .all(
          `SELECT * FROM incidents WHERE id < ? ${all ? "" : "AND resolved_at IS NULL"} ORDER BY id DESC LIMIT ?`,
          before ?? "inc_~",
          limit,
        )
        .map(toIncident),
    async intakeOf(file) {
      const row = sql.get("SELECT bytes FROM health_intake WHERE file = ?", file);
      return row && Number(row.bytes);
    },
    async setIntake({ file, bytes }, at) {
      sql.run("INSERT OR REPLACE INTO health_intake (file, bytes, at) VALUES (?, ?, ?)", file, bytes, at);
    },
    async removeIntake(file) {
      sql.run("DELETE FROM health_intake WHERE file = ?", file);
    },
    async removeOld(before, failuresBefore) {
      sql.run("DELETE FROM health_components WHERE last_report_at < ?", before);
      sql.run("DELETE FROM health_failures WHERE at < ?", failuresBefore);
      sql.run("DELETE FROM incidents WHERE resolved_at < ?", before);
      sql.run("DELETE FROM health_intake WHERE at < ?", before);
    },
    async removeProject(project) {
      sql.run("DELETE FROM health_components WHERE project = ?", project);
      sql.run("DELETE FROM health_failures WHERE project = ?", project);
      sql.run("DELETE FROM incidents WHERE EXISTS (SELECT 1 FROM json_each(projects) WHERE value = ?)", project);
    },
  };
}

function setComponent(sql: Sql, counters: Counters): void {
  const { kind, component, agent, project, latency, lastError, lastFailureAt } = counters;
  sql.run(
    `INSERT OR REPLACE INTO health_components (kind, component, agent, agent_name, project, calls, failures, timeouts,
       degraded, edits_without_read, unguarded, latency, last_error, last_failure_at, last_report_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    kind,
    component,
    agent?.id ?? "",
    agent?.name ?? "",
    project ?? null,
    counters.calls,
    counters.failures,
    counters.timeouts,
    counters.degraded,
    counters.editsWithoutRead,
    counters.unguarded,
    JSON.stringify(latency),
    lastError ?? null,
    lastFailureAt ?? null,
    counters.lastReportAt,
  );
}

function toCounters(row: SqlRow): Counters {
  return {
    kind: row.kind as ComponentKind,
    component: String(row.component),
    agent: row.agent === "" ? undefined : { id: String(row.agent), name: String(row.agent_name) },
    project: (row.project ?? undefined) as ProjectId | undefined,
    calls: Number(row.calls),
    failures: Number(row.failures),
    timeouts: Number(row.timeouts),
    degraded: Number(row.degraded),
    editsWithoutRead: Number(row.edits_without_read),
    unguarded: Number(row.unguarded),
    latency: JSON.parse(String(row.latency)) as Latency,
    lastError: row.last_error === null ? undefined : String(row.last_error),
    lastFailureAt: row.last_failure_at === null ? undefined : Number(row.last_failure_at),
    lastReportAt: Number(row.last_report_at),
  };
}

function setIncident(sql: Sql, record: IncidentRecord): void {
  sql.run(
    `INSERT INTO incidents (id, key, rule, cause, components, projects, failures, last_error, opened_at, last_failure_at,
       escalated_at, recovered_at, resolved_at, resolution, resolved_why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET components = excluded.components, projects = excluded.projects,
       failures = excluded.failures, last_error = excluded.last_error, opened_at = excluded.opened_at,
       last_failure_at = excluded.last_failure_at, escalated_at = excluded.escalated_at,
       recovered_at = excluded.recovered_at, resolved_at = excluded.resolved_at, resolution = excluded.resolution,
       resolved_why = excluded.resolved_why
     WHERE resolved_at IS NULL`,
    record.id,
    record.key,
    record.rule,
    record.cause,
    JSON.stringify(record.components),
    JSON.stringify(record.projects),
    record.failures,
    record.lastError,
    record.openedAt,
    record.lastFailureAt,
    record.escalatedAt ?? null,
    record.recoveredAt ?? null,
    record.resolvedAt ?? null,
    record.resolution ?? null,
    record.resolvedWhy ?? null,
  );
}

function toIncident(row: SqlRow): IncidentRecord {
  const time = (column: string): number | undefined => (row[column] === null ? undefined : Number(row[column]));
  return {
    id: row.id as IncidentId,
    key: String(row.key),
    rule: row.rule as Incident["rule"],
    cause: row.cause as Cause,
    components: JSON.parse(String(row.components)) as OpenIncident["components"],
    projects: JSON.parse(String(row.projects)) as OpenIncident["projects"],
    failures: Number(row.failures),
    lastError: String(row.last_error),
    openedAt: Number(row.opened_at),
    lastFailureAt: Number(row.last_failure_at),
    escalatedAt: time("escalated_at"),
    recoveredAt: time("recovered_at"),
    resolvedAt: time("resolved_at"),
    resolution: (row.resolution ?? undefined) as Incident["resolution"],
    resolvedWhy: row.resolved_why === null ? undefined : String(row.resolved_why),
  };
}
