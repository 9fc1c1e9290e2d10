/** Findings' rows in SQLite. */
import type {
  AgentId,
  AgentRef,
  Finding,
  FindingId,
  FindingStatus,
  ProjectId,
  RunId,
  WorkItemId,
} from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { FindingRecord, FindingReport, FindingRepository, FindingState, InvestigationRecord } from "./store.ts";

const select = `SELECT findings.*, agents.name AS agent_name, agents.client AS agent_client,
    markers.name AS marker_name, markers.client AS marker_client,
    (SELECT json_group_array(json_object('path', path, 'line', line)) FROM
      (SELECT path, line FROM finding_places WHERE finding = findings.id ORDER BY position)) AS places
  FROM findings JOIN agents ON agents.id = findings.agent LEFT JOIN agents AS markers ON markers.id = marked_by`;
const undecided = "status IN ('open', 'accepted')";

export function sqliteFindings(sql: Sql): FindingRepository {
  const records = (roots: readonly SqlRow[]) => roots.map((row) => recordOf(sql, row.id as FindingId)!);
  return {
    insert: async (report, state) => insert(sql, report, state),
    async setState(root, { worst, status, mark, workItem }) {
      sql.run(
        "UPDATE findings SET worst = ?, status = ?, marked_by = ?, marked_why = ?, marked_at = ?, work_item = ? WHERE id = ?",
        worst,
        status,
        mark?.by.id ?? null,
        mark?.why ?? null,
        mark?.markedAt ?? null,
        workItem ?? null,
        root,
      );
    },
    async join(root, others) {
      for (const other of others) sql.run("UPDATE findings SET root = ?, work_item = NULL WHERE root = ?", root, other);
    },
    async find(id) {
      const row = sql.get("SELECT root FROM findings WHERE id = ?", id);
      return row && recordOf(sql, row.root as FindingId);
    },
    near: async (report, linesApart) => near(sql, report, linesApart),
    async ofWorkItem(item) {
      const row = sql.get("SELECT root FROM findings WHERE work_item = ?", item);
      return row && recordOf(sql, row.root as FindingId);
    },
    list: async (query) => records(listRoots(sql, query)),
    blocking: async (project, limit) =>
      records(
        sql.all(
          `SELECT id FROM findings WHERE project = ? AND id = root AND worst = 'blocking' AND ${undecided} ORDER BY id DESC LIMIT ?`,
          project,
          limit,
        ),
      ),
    reportedBy: async (agent, since, limit) =>
      records(
        sql.all(
          "SELECT root AS id FROM findings WHERE agent = ? AND published_at >= ? GROUP BY root ORDER BY max(id) DESC LIMIT ?",
          agent,
          since,
          limit,
        ),
      ),
    reporters: async ({ project, thread, run }) =>
      sql
        .all(
          "SELECT agent FROM findings WHERE project = ? AND thread = ? UNION SELECT agent FROM findings WHERE run = ?",
          project,
          thread ?? null,
          run ?? null,
        )
        .map((row) => row.agent as AgentId),
    async setInvestigation({ agent, project, topic, files, startedAt }) {
      sql.run(
        "INSERT OR REPLACE INTO investigations (agent, project, topic, files, started_at) VALUES (?, ?, ?, ?, ?)",
        agent.id,
        project,
        topic,
        JSON.stringify(files),
        startedAt,
      );
    },
    async endInvestigation(agent) {
      sql.run("DELETE FROM investigations WHERE agent = ?", agent);
    },
    async investigations(project) {
      const rows = sql.all(
        `SELECT investigations.*, agents.name AS agent_name, agents.client AS agent_client
         FROM investigations JOIN agents ON agents.id = agent WHERE investigations.project = ? ORDER BY started_at, agent`,
        project,
      );
      return rows.map(toInvestigation);
    },
    async removeOld(before, most) {
      sql.run(
        "DELETE FROM investigations WHERE agent IN (SELECT id FROM agents WHERE ended_at IS NOT NULL OR compacted_at IS NOT NULL)",
      );
      return sql.run(
        `DELETE FROM findings WHERE root IN
           (SELECT id FROM findings WHERE id = root AND NOT ${undecided} AND marked_at < ? LIMIT ?)`,
        before,
        most,
      ).changes;
    },
    async removeProject(project) {
      sql.run("DELETE FROM investigations WHERE project = ?", project);
      return sql.run("DELETE FROM findings WHERE project = ?", project).changes;
    },
    workItems: async () =>
      sql.all("SELECT work_item FROM findings WHERE work_item IS NOT NULL").map((row) => row.work_item as WorkItemId),
    agents: async () =>
      sql
        .all("SELECT agent FROM findings UNION SELECT marked_by FROM findings WHERE marked_by IS NOT NULL")
        .map((row) => row.agent as AgentId),
  };
}

function insert(sql: Sql, report: FindingReport, { worst, status }: FindingState): void {
  const { id, root, project, agent, model, severity, level, category, summary, evidence, thread, run, publishedAt } =
    report;
  sql.run(
    `INSERT INTO findings (id, root, project, agent, model, severity, level, category, summary, evidence, thread, run,
       published_at, worst, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    root,
    project,
    agent.id,
    model ?? null,
    severity,
    level ?? null,
    category,
    summary,
    evidence ?? null,
    thread ?? null,
    run ?? null,
    publishedAt,
    worst,
    status,
  );
  report.files.forEach(({ path, line }, position) =>
    sql.run(
      "INSERT INTO finding_places (finding, position, path, line) VALUES (?, ?, ?, ?)",
      id,
      position,
      path,
      line ?? null,
    ),
  );
}

function near(
  sql: Sql,
  { project, category, files, summary }: FindingReport,
  linesApart: number,
): readonly FindingId[] {
  const roots = "SELECT DISTINCT findings.root FROM findings JOIN findings AS first ON first.id = findings.root";
  const same = `findings.project = ? AND findings.category = ? AND first.${undecided}`;
  if (files.length === 0) {
    const rows = sql.all(
      `${roots} WHERE ${same} AND lower(findings.summary) = lower(?)
         AND NOT EXISTS (SELECT 1 FROM finding_places WHERE finding = findings.id)`,
      project,
      category,
      summary,
    );
    return rows.map((row) => row.root as FindingId);
  }
  const found = files.flatMap(({ path, line }) =>
    sql.all(
      `${roots} JOIN finding_places ON finding = findings.id
       WHERE ${same} AND path = ? AND ${line === undefined ? "line IS NULL AND ? = ?" : "line BETWEEN ? AND ?"}`,
      project,
      category,
      path,
      (line ?? 0) - linesApart,
      line === undefined ? -linesApart : line + linesApart,
    ),
  );
  return [...new Set(found.map((row) => row.root as FindingId))];
}

function listRoots(sql: Sql, query: Parameters<FindingRepository["list"]>[0]): readonly SqlRow[] {
  const report = (condition: string) =>
    `EXISTS (SELECT 1 FROM findings AS r WHERE r.root = findings.id AND ${condition})`;
  const conditions: readonly (readonly [string, SqlValue | undefined])[] = [
    ["project = ?", query.project],
    [report("EXISTS (SELECT 1 FROM finding_places WHERE finding = r.id AND path = ?)"), query.path],
    ["worst = ?", query.severity],
    ["status = ?", query.status],
    ["category = ?", query.category],
    [report("r.thread = ?"), query.thread],
    [report("r.run = ?"), query.run],
    ["work_item = ?", query.workItem],
    [report("r.agent <> ?"), query.notOnlyBy],
    ["id < ?", query.before],
  ];
  const used = conditions.filter(([, value]) => value !== undefined);
  return sql.all(
    `SELECT id FROM findings WHERE ${["id = root", ...used.map(([condition]) => condition)].join(" AND ")} ORDER BY id DESC LIMIT ?`,
    ...used.map(([, value]) => value!),
    query.limit,
  );
}

function recordOf(sql: Sql, root: FindingId): FindingRecord | undefined {
  const rows = sql.all(`${select} WHERE root = ? ORDER BY findings.id`, root);
  const first = rows.find((row) => row.id === root);
  if (first === undefined) return undefined;
  return {
    id: root,
    project: first.project as ProjectId,
    reports: [toReport(first), ...rows.filter((row) => row !== first).map(toReport)],
    state: {
      worst: first.worst as Finding["severity"],
      status: first.status as FindingStatus,
      mark:
        first.marked_by === null
          ? undefined
          : {
              by: agentOf(first, "marked_by", "marker"),
              why: String(first.marked_why),
              markedAt: Number(first.marked_at),
            },
      workItem: (first.work_item ?? undefined) as WorkItemId | undefined,
    },
  };
}

function toReport(row: SqlRow): FindingReport {
  const places = JSON.parse(String(row.places)) as { path: string; line: number | null }[];
  return {
    id: row.id as FindingId,
    root: row.root as FindingId,
    project: row.project as ProjectId,
    agent: agentOf(row, "agent", "agent"),
    model: row.model === null ? undefined : String(row.model),
    severity: row.severity as Finding["severity"],
    ...(row.level === null ? {} : { level: row.level as NonNullable<Finding["level"]> }),
    category: String(row.category),
    summary: String(row.summary),
    files: places.map(({ path, line }) => ({ path, ...(line === null ? {} : { line }) })),
    ...(row.evidence === null ? {} : { evidence: String(row.evidence) }),
    ...(row.thread === null ? {} : { thread: String(row.thread) }),
    ...(row.run === null ? {} : { run: row.run as RunId }),
    publishedAt: Number(row.published_at),
  };
}

function toInvestigation(row: SqlRow): InvestigationRecord {
  return {
    agent: agentOf(row, "agent", "agent"),
    project: row.project as ProjectId,
    topic: String(row.topic),
    files: JSON.parse(String(row.files)) as string[],
    startedAt: Number(row.started_at),
  };
}

function agentOf(row: SqlRow, id: string, prefix: string): AgentRef {
  return { id: row[id] as AgentId, name: String(row[`${prefix}_name`]), client: String(row[`${prefix}_client`]) };
}
