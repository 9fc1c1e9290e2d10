/** What is counted over the archive's rows: sessions, workflows, failures, savings, queries. */
import type { ArchiveSession, Warning, KnownWorkflow } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import { conditionsOf } from "./filter.sqlite.ts";
import type { ArchiveRepository, QueryTally, SavingTally, SessionTally, WorkflowDefinition } from "./store.ts";

type ReportRows = Pick<
  ArchiveRepository,
  "tally" | "workflows" | "warnings" | "addSaving" | "savings" | "addQueries" | "queries"
>;

export function reportRows(sql: Sql): ReportRows {
  return {
    async tally(project, sessions) {
      const { where, values } = conditionsOf({ project, sessions: undefined, withArchived: true });
      const among = sessions === undefined ? "TRUE" : "session IN (SELECT value FROM json_each(?))";
      const rows = sql.all(
        `SELECT session, category, count(*) AS count, sum(archived) AS archived, sum(kind = 'fact') AS facts,
           sum(kind = 'summary') AS summaries, sum(iif(archived = 0, tokens, 0)) AS tokens, min(at) AS first_at, max(at) AS last_at
         FROM archive WHERE ${where} AND ${among} GROUP BY session, category ORDER BY session, category`,
        ...values,
        ...(sessions === undefined ? [] : [JSON.stringify(sessions)]),
      );
      return [...Map.groupBy(rows, ({ session }) => session as ArchiveSession)].map(toTally);
    },
    async workflows(filter, limit) {
      const { project, sessions } = filter;
      const rows = sql.all(
        `SELECT * FROM archive_workflows WHERE project = coalesce(?, project)
         AND (? IS NULL OR session IN (SELECT value FROM json_each(?))) ORDER BY last_at DESC LIMIT ?`,
        project ?? null,
        sessions === undefined ? null : "some",
        JSON.stringify(sessions ?? []),
        limit,
      );
      return rows.map((row) => toWorkflow(row, outcomesOf(sql, row)));
    },
    async warnings(filter, limit) {
      const { where, values } = conditionsOf({ ...filter, failures: true });
      const rows = sql.all(
        `SELECT count(*) AS count, max(at) AS last_at, json_group_array(DISTINCT session) AS sessions, title,
           content ->> '$.reason' AS reason
         FROM archive WHERE ${where} GROUP BY failure HAVING count(*) >= 2 ORDER BY last_at DESC LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map(toWarning);
    },
    async addSaving(project, { session, kind, what, avoided, isMeasured, context, serving, at }) {
      sql.run(
        `INSERT INTO archive_savings (project, session, kind, what, avoided, is_measured, context, serving, at)
         SELECT project, session, kind, what, avoided, is_measured, context, serving, at
         FROM (SELECT ? AS project, ? AS session, ? AS kind, ? AS what, ? AS avoided, ? AS is_measured, ? AS context,
           ? AS serving, ? AS at) AS new
         WHERE kind <> 'skipped-work' OR NOT EXISTS (SELECT 1 FROM archive_savings AS known WHERE
           known.project = new.project AND known.session = new.session AND known.kind = new.kind AND known.what = new.what)`,
        project,
        session,
        kind,
        what.slice(0, 200),
        avoided,
        isMeasured ? 1 : 0,
        context,
        serving,
        at,
      );
    },
    async savings(project, session) {
      const rows = sql.all(
        `SELECT session, kind, is_measured, count(*) AS count, sum(avoided) AS avoided, sum(context) AS context, sum(serving) AS serving
         FROM archive_savings WHERE project = coalesce(?, project) AND session = coalesce(?, session)
         GROUP BY session, kind, is_measured ORDER BY session`,
        project ?? null,
        session ?? null,
      );
      return rows.map(toSaving);
    },
    async addQueries(project, queries, at) {
      for (const { session, scope, asked, found, cached } of queries)
        sql.run(
          `INSERT INTO archive_queries (project, session, scope, asked, found, cached, last_at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (project, session, scope) DO UPDATE SET asked = asked + excluded.asked, found = found + excluded.found,
             cached = cached + excluded.cached, last_at = excluded.last_at`,
          project,
          session,
          scope,
          asked,
          found,
          cached,
          at,
        );
    },
    async queries(project, session) {
      const rows = sql.all(
        "SELECT * FROM archive_queries WHERE project = coalesce(?, project) AND session = coalesce(?, session) ORDER BY session",
        project ?? null,
        session ?? null,
      );
      return rows.map(toQuery);
    },
  };
}

function outcomesOf(sql: Sql, { project, key }: SqlRow): Readonly<Record<string, number>> {
  const rows = sql.all(
    "SELECT status, count(*) AS count FROM archive WHERE project = ? AND workflow = ? GROUP BY status",
    project!,
    key!,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [String(status ?? "unknown"), Number(count)]));
}

function toTally([session, rows]: readonly [ArchiveSession, readonly SqlRow[]]): SessionTally {
  const sum = (column: string): number => rows.reduce((total, row) => total + Number(row[column]), 0);
  return {
    session,
    entries: sum("count") - sum("archived"),
    archived: sum("archived"),
    facts: sum("facts"),
    summaries: sum("summaries"),
    categories: Object.fromEntries(rows.map(({ category, count }) => [String(category), Number(count)])),
    tokens: sum("tokens"),
    firstAt: Math.min(...rows.map((row) => Number(row.first_at))),
    lastAt: Math.max(...rows.map((row) => Number(row.last_at))),
  };
}

function toWorkflow(row: SqlRow, outcomes: KnownWorkflow["outcomes"]): KnownWorkflow {
  const { nodes } = JSON.parse(String(row.definition)) as WorkflowDefinition;
  return {
    key: String(row.key),
    session: row.session as ArchiveSession,
    title: String(row.title),
    executions: Number(row.executions),
    createdAt: Number(row.created_at),
    lastAt: Number(row.last_at),
    outcomes,
    nodes,
  };
}

function toWarning({ reason, title, count, sessions, last_at: lastAt }: SqlRow): Warning {
  return {
    reason: String(reason ?? title).slice(0, 300),
    count: Number(count),
    sessions: JSON.parse(String(sessions)) as ArchiveSession[],
    lastAt: Number(lastAt),
  };
}

function toSaving(row: SqlRow): SavingTally {
  return {
    session: row.session as ArchiveSession,
    kind: row.kind as SavingTally["kind"],
    isMeasured: row.is_measured === 1,
    count: Number(row.count),
    avoided: Number(row.avoided),
    context: Number(row.context),
    serving: Number(row.serving),
  };
}

function toQuery(row: SqlRow): QueryTally {
  return {
    session: row.session as ArchiveSession,
    scope: row.scope as QueryTally["scope"],
    asked: Number(row.asked),
    found: Number(row.found),
    cached: Number(row.cached),
  };
}
