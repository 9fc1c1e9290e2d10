/** The tables of runs in SQLite. */
import type { Check, Finding, PlanNode, ProjectId, Run, RunId, RunStatus, SessionId } from "../../contract/index.ts";
import { jsonIn, numberIn, textIn } from "../../platform/sql-columns.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import { runRemoval } from "./removal.sqlite.ts";
import type { OldNode, RunRecord, RunRepository } from "./store.ts";

export function sqliteRuns(sql: Sql): RunRepository {
  return {
    ...runRows(sql),
    ...checkRows(sql),
    ...oldRows(sql),
    ...runRemoval(sql),
  };
}

type Part<Names extends keyof RunRepository> = Pick<RunRepository, Names>;

function runRows(sql: Sql): Part<"insert" | "update" | "setBudget" | "find" | "list" | "withStatus"> {
  return {
    async insert(run) {
      sql.run(
        `INSERT INTO runs (id, session, project, request, options, since, created_at, status, reason, label, model, plan, workspace, commit_id, outcome, cleared, merged_as,
           calls, input_tokens, output_tokens, unknown_calls, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        run.id,
        run.session,
        run.project,
        run.request,
        JSON.stringify(run.options),
        run.since,
        run.createdAt,
        ...changeable(run),
      );
    },
    async update(run) {
      sql.run(
        `UPDATE runs SET status = ?, reason = ?, label = ?, model = ?, plan = ?, workspace = ?, commit_id = ?, outcome = ?, cleared = ?, merged_as = ?,
           calls = ?, input_tokens = ?, output_tokens = ?, unknown_calls = ?, updated_at = ? WHERE id = ?`,
        ...changeable(run),
        run.id,
      );
    },
    async setBudget(id, tokens, at) {
      sql.run(
        "UPDATE runs SET options = json_set(options, '$.budget', ?), updated_at = ? WHERE id = ?",
        tokens,
        at,
        id,
      );
    },
    async find(id) {
      const row = sql.get("SELECT * FROM runs WHERE id = ?", id);
      return row && toRun(row);
    },
    async list({ project, status, before, limit }) {
      return newest(sql, { project, status, before }, limit).map(toRun);
    },
    async withStatus(statuses) {
      return sql
        .all(
          "SELECT * FROM runs WHERE status IN (SELECT value FROM json_each(?)) ORDER BY id",
          JSON.stringify(statuses),
        )
        .map(toRun);
    },
  };
}

function checkRows(sql: Sql): Part<"addCheck" | "checksOf" | "findingsOf"> {
  return {
    async addCheck(run, check, findings) {
      sql.run(
        "INSERT INTO run_checks (run, position, data) VALUES (?, (SELECT count(*) FROM run_checks WHERE run = ?), ?)",
        run,
        run,
        JSON.stringify(check),
      );
      for (const finding of findings)
        sql.run("INSERT INTO run_findings (id, run, data) VALUES (?, ?, ?)", finding.id, run, JSON.stringify(finding));
    },
    checksOf: async (run) =>
      sql.all("SELECT data FROM run_checks WHERE run = ? ORDER BY position", run).map((row) => jsonIn<Check>(row.data)),
    findingsOf: async (run) =>
      sql.all("SELECT data FROM run_findings WHERE run = ? ORDER BY id", run).map((row) => jsonIn<Finding>(row.data)),
  };
}

function oldRows(sql: Sql): Part<"withoutGraph" | "oldNodesOf" | "takeOldNodes"> {
  const nodesOf = (run: RunId): readonly OldNode[] =>
    sql.all("SELECT * FROM run_nodes WHERE run = ? ORDER BY round, position", run).map(toOldNode);
  return {
    withoutGraph: async () =>
      sql
        .all("SELECT id FROM runs WHERE NOT EXISTS (SELECT 1 FROM dag_runs WHERE id = runs.id) ORDER BY id")
        .map((row) => row.id as RunId),
    oldNodesOf: async (run) => nodesOf(run),
    async takeOldNodes(run) {
      const taken = nodesOf(run);
      sql.run("DELETE FROM run_nodes WHERE run = ?", run);
      return taken;
    },
  };
}

function toOldNode(row: SqlRow): OldNode {
  return {
    ...jsonIn<PlanNode>(row.spec),
    round: Number(row.round),
    state: row.state as OldNode["state"],
    attempt: Number(row.attempt),
    agent: textIn(row.agent),
    startedAt: numberIn(row.started_at),
    endedAt: numberIn(row.ended_at),
    record: row.record === null ? undefined : jsonIn(row.record),
  };
}

function newest(
  sql: Sql,
  wanted: Readonly<Record<"project" | "before" | "status", string | undefined>>,
  limit: number,
): readonly SqlRow[] {
  const conditions = [wanted.project && "project = ?", wanted.status && "status = ?", wanted.before && "id < ?"].filter(
    (condition) => condition !== undefined,
  );
  const values = [wanted.project, wanted.status, wanted.before].filter((value) => value !== undefined);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return sql.all(`SELECT * FROM runs ${where} ORDER BY id DESC LIMIT ?`, ...values, limit);
}

function changeable(run: RunRecord): readonly SqlValue[] {
  const { status, reason, label, model, plan, workspace, commit, outcome, cleared, mergedAs, cost, updatedAt } = run;
  return [
    status,
    reason ?? null,
    label ?? null,
    model ?? null,
    jsonOrNull(plan),
    jsonOrNull(workspace),
    commit ?? null,
    outcome,
    Number(cleared),
    mergedAs ?? null,
    cost.calls,
    cost.inputTokens,
    cost.outputTokens,
    cost.unknownCalls,
    updatedAt,
  ];
}

function toRun(row: SqlRow): RunRecord {
  return {
    id: row.id as RunId,
    session: row.session as SessionId,
    project: row.project as ProjectId,
    request: String(row.request),
    status: row.status as RunStatus,
    reason: textIn(row.reason),
    label: textIn(row.label),
    model: textIn(row.model),
    options: jsonIn(row.options),
    plan: row.plan === null ? undefined : jsonIn(row.plan),
    workspace: row.workspace === null ? undefined : jsonIn(row.workspace),
    commit: textIn(row.commit_id),
    outcome: row.outcome as Run["outcome"],
    cleared: row.cleared === 1,
    mergedAs: textIn(row.merged_as),
    cost: {
      calls: Number(row.calls),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      unknownCalls: Number(row.unknown_calls),
    },
    since: Number(row.since),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
