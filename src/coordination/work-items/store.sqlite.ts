/** Work items' rows in SQLite. */
import type { AgentId, ClientKind, ProjectId, WorkItemId, WorkItemStatus } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { WorkItemRecord, WorkItemRepository } from "./store.ts";

const select = `SELECT work_items.*, agents.name AS owner_name, agents.client AS owner_client,
  (SELECT json_group_array(depends_on) FROM work_item_dependencies WHERE item = work_items.id) AS depends_on
  FROM work_items LEFT JOIN agents ON agents.id = work_items.owner`;

const unblocked = `NOT EXISTS (SELECT 1 FROM work_item_dependencies JOIN work_items AS needed ON needed.id = depends_on
  WHERE item = work_items.id AND needed.status <> 'closed')`;

export function sqliteWorkItems(sql: Sql): WorkItemRepository {
  return {
    async insert(record) {
      sql.run(
        `INSERT INTO work_items (id, project, title, body, type, priority, status, fencing_token, version, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        record.id,
        record.project,
        record.title,
        record.body ?? null,
        record.type,
        record.priority,
        record.status,
        record.fencingToken,
        record.version,
        record.createdAt,
        record.updatedAt,
      );
      for (const needed of record.dependsOn)
        sql.run("INSERT INTO work_item_dependencies (item, depends_on) VALUES (?, ?)", record.id, needed);
    },
    async update({ id, status, owner, claimTtlMs, fencingToken, version, updatedAt, closedReason }) {
      sql.run(
        "UPDATE work_items SET status = ?, owner = ?, claim_ttl_ms = ?, fencing_token = ?, version = ?, updated_at = ?, closed_reason = ? WHERE id = ?",
        status,
        owner?.id ?? null,
        claimTtlMs ?? null,
        fencingToken,
        version,
        updatedAt,
        closedReason ?? null,
        id,
      );
    },
    async find(id) {
      const row = sql.get(`${select} WHERE work_items.id = ?`, id);
      return row && toRecord(row);
    },
    async list({ project, status, before, limit }) {
      const conditions = [
        project && "work_items.project = ?",
        status && "status = ?",
        before && "work_items.id < ?",
      ].filter((condition) => condition !== undefined);
      const values = [project, status, before].filter((value) => value !== undefined);
      const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      return sql.all(`${select} ${where} ORDER BY work_items.id DESC LIMIT ?`, ...values, limit).map(toRecord);
    },
    readyOpen: async (project, limit) => ranked(sql, "open", project, limit),
    readyInProgress: async (project) => ranked(sql, "in_progress", project, -1),
    countOwnedBy: async (agent) =>
      Number(sql.get("SELECT count(*) AS held FROM work_items WHERE owner = ?", agent)?.held),
    ownedBy: async (agent) => sql.all(`${select} WHERE owner = ?`, agent).map(toRecord),
    owned: async () => sql.all(`${select} WHERE owner IS NOT NULL`).map(toRecord),
    async openDependencies(id) {
      const rows = sql.all(
        "SELECT depends_on FROM work_item_dependencies JOIN work_items ON work_items.id = depends_on WHERE item = ? AND status <> 'closed'",
        id,
      );
      return rows.map((row) => row.depends_on as WorkItemId);
    },
    removeClosedBefore: async (at) =>
      removeItems(
        sql,
        `WITH RECURSIVE staying (id) AS (
           SELECT id FROM work_items WHERE NOT (status = 'closed' AND updated_at < ?)
           UNION SELECT depends_on FROM work_item_dependencies JOIN staying ON item = staying.id
         ) SELECT id FROM work_items WHERE id NOT IN staying`,
        at,
      ),
    removeProject: async (project) => removeItems(sql, "SELECT id FROM work_items WHERE project = ?", project),
    idsOf: async (project) =>
      sql.all("SELECT id FROM work_items WHERE project = ?", project).map((row) => row.id as WorkItemId),
    async tally(project) {
      const row = sql.get(
        `SELECT count(*) AS total, count(*) FILTER (WHERE status <> 'closed') AS open,
           coalesce(sum(length(title) + coalesce(length(body), 0) + 200), 0) AS bytes FROM work_items WHERE project = ?`,
        project,
      );
      return { total: Number(row?.total), open: Number(row?.open), bytes: Number(row?.bytes) };
    },
  };
}

function removeItems(sql: Sql, chosen: string, value: SqlValue): number {
  const ids = JSON.stringify(sql.all(chosen, value).map((row) => row.id));
  sql.run("DELETE FROM work_item_dependencies WHERE item IN (SELECT value FROM json_each(?))", ids);
  return sql.run("DELETE FROM work_items WHERE id IN (SELECT value FROM json_each(?))", ids).changes;
}

function ranked(
  sql: Sql,
  status: WorkItemStatus,
  project: ProjectId | undefined,
  limit: number,
): readonly WorkItemRecord[] {
  const order = "ORDER BY priority, work_items.id LIMIT ?";
  const rows =
    project === undefined
      ? sql.all(`${select} WHERE status = ? AND ${unblocked} ${order}`, status, limit)
      : sql.all(
          `${select} WHERE work_items.project = ? AND status = ? AND ${unblocked} ${order}`,
          project,
          status,
          limit,
        );
  return rows.map(toRecord);
}

function toRecord(row: SqlRow): WorkItemRecord {
  return {
    id: row.id as WorkItemId,
    project: row.project as ProjectId,
    title: String(row.title),
    ...(row.body === null ? {} : { body: String(row.body) }),
    type: String(row.type),
    priority: Number(row.priority),
    status: row.status as WorkItemStatus,
    dependsOn: JSON.parse(String(row.depends_on)) as WorkItemId[],
    ...(row.owner === null
      ? {}
      : { owner: { id: row.owner as AgentId, name: String(row.owner_name), client: row.owner_client as ClientKind } }),
    claimTtlMs: row.claim_ttl_ms === null ? undefined : Number(row.claim_ttl_ms),
    fencingToken: Number(row.fencing_token),
    version: Number(row.version),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(row.closed_reason === null ? {} : { closedReason: String(row.closed_reason) }),
  };
}
