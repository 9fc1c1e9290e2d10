/** Work items' rows in SQLite: the items themselves and how they are found. */
import type { AgentId, ProjectId, WorkItemId } from "../../contract/index.ts";
import type { Sql, SqlValue } from "../../platform/store/index.ts";
import { sqliteWorkHistory } from "./history.sqlite.ts";
import type { ClaimOwners, WorkItemRecord, WorkItemRepository } from "./store.ts";
import { selectWorkItem, toWorkItem } from "./work-item-row.ts";

/** Made once: a text that is put together for each read is hashed for each read, too. */
const selectById = `${selectWorkItem} WHERE work_items.id = ?`;
const rank = "ORDER BY priority, created_at, work_items.id LIMIT ?";
const kindsOfLink = [
  ["relates", "relatesTo"],
  ["discovered-from", "discoveredFrom"],
] as const;
const nextOf = {
  blocks: "SELECT depends_on AS id FROM work_item_dependencies WHERE item = ?",
  parent: "SELECT parent AS id FROM work_items WHERE id = ? AND parent IS NOT NULL",
};
const allNextOf = {
  blocks: "SELECT depends_on FROM work_item_dependencies JOIN reached ON item = reached.id",
  parent: "SELECT parent FROM work_items JOIN reached ON work_items.id = reached.id WHERE parent IS NOT NULL",
};
const neededBy = {
  blocks: "SELECT 1 AS is_needed FROM work_item_dependencies WHERE depends_on = ? LIMIT 1",
  parent: "SELECT 1 AS is_needed FROM work_items WHERE parent = ? LIMIT 1",
};

export function sqliteWorkItems(sql: Sql): WorkItemRepository {
  /** The last answer, with the state of the store that it was read from. */
  let owners: { readonly at: string; readonly list: ClaimOwners } | undefined;
  const inProject = (condition: string, project: ProjectId | undefined, rest: string, ...values: SqlValue[]) =>
    (project === undefined
      ? sql.all(`${selectWorkItem} WHERE ${condition} ${rest}`, ...values)
      : sql.all(`${selectWorkItem} WHERE work_items.project = ? AND ${condition} ${rest}`, project, ...values)
    ).map(toWorkItem);
  return {
    ...sqliteWorkHistory(sql),
    async insert(record) {
      sql.run(
        `INSERT INTO work_items (id, project, title, body, type, priority, labels, parent, external_id, status, blocked_reason, closed_reason, fencing_token, version, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        record.id,
        record.project,
        ...textOf(record),
        record.externalId ?? null,
        record.status,
        record.blockedReason ?? null,
        record.closedReason ?? null,
        record.fencingToken,
        record.version,
        record.createdAt,
        record.updatedAt,
      );
      insertLinks(record, sql);
    },
    async update(record) {
      sql.run(
        `UPDATE work_items SET status = ?, owner = ?, claim_ttl_ms = ?, stall_after_ms = ?, fencing_token = ?, version = ?, updated_at = ?,
         claimed_at = ?, asked_at = ?, blocked_reason = ?, closed_reason = ?, progress = ?, stuck = ?, handoff_request = ? WHERE id = ?`,
        record.status,
        record.owner?.id ?? null,
        record.claimTtlMs ?? null,
        record.stallAfterMs ?? null,
        record.fencingToken,
        record.version,
        record.updatedAt,
        record.claimedAt ?? null,
        record.askedAt ?? null,
        record.blockedReason ?? null,
        record.closedReason ?? null,
        json(record.progress),
        json(record.stuck),
        json(record.handoffRequest),
        record.id,
      );
    },
    async rewrite(record) {
      sql.run(
        "UPDATE work_items SET title = ?, body = ?, type = ?, priority = ?, labels = ?, parent = ?, version = ?, updated_at = ? WHERE id = ?",
        ...textOf(record),
        record.version,
        record.updatedAt,
        record.id,
      );
      sql.run("DELETE FROM work_item_dependencies WHERE item = ?", record.id);
      sql.run("DELETE FROM work_item_links WHERE item = ?", record.id);
      insertLinks(record, sql);
    },
    async find(id) {
      const row = sql.get(selectById, id);
      return row && toWorkItem(row);
    },
    async findByExternalId(project, externalId) {
      const row = sql.get(`${selectWorkItem} WHERE work_items.project = ? AND external_id = ?`, project, externalId);
      return row && toWorkItem(row);
    },
    async list({ project, status, label, parent, before, limit }) {
      const conditions = [
        project && "work_items.project = ?",
        status && "status = ?",
        label && "EXISTS (SELECT 1 FROM json_each(labels) WHERE value = ?)",
        parent && "work_items.parent = ?",
        before && "work_items.id < ?",
      ].filter((condition) => condition !== undefined);
      const values = [project, status, label, parent, before].filter((value) => value !== undefined);
      const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      return sql
        .all(`${selectWorkItem} ${where} ORDER BY work_items.id DESC LIMIT ?`, ...values, limit)
        .map(toWorkItem);
    },
    readyOpen: async (project, limit) => inProject("status = 'open' AND waits_for = 0", project, rank, limit),
    readyOwnerless: async (project, limit) =>
      inProject("status = 'in_progress' AND owner IS NULL AND waits_for = 0", project, rank, limit),
    stuck: async (project) => inProject("stuck IS NOT NULL AND owner IS NOT NULL AND waits_for = 0", project, ""),
    async owners() {
      // Grows with every change of another connection, or of this one.
      const now = sql.get("SELECT data_version AS others, total_changes() AS own FROM pragma_data_version");
      const at = `${String(now?.others)} ${String(now?.own)}`;
      if (owners?.at !== at) owners = { at, list: ownersNow(sql) };
      return owners.list;
    },
    countOwnedBy: async (agent) =>
      Number(sql.get("SELECT count(*) AS held FROM work_items WHERE owner = ?", agent)?.held),
    ownedBy: async (agent) => sql.all(`${selectWorkItem} WHERE owner = ?`, agent).map(toWorkItem),
    owned: async () => sql.all(`${selectWorkItem} WHERE owner IS NOT NULL`).map(toWorkItem),
    async openDependencies(id) {
      const rows = sql.all(
        "SELECT depends_on FROM work_item_dependencies JOIN work_items ON work_items.id = depends_on WHERE item = ? AND status <> 'closed'",
        id,
      );
      return rows.map((row) => row.depends_on as WorkItemId);
    },
    async reaches(kind, from, to) {
      const found = sql.get(
        `WITH RECURSIVE reached (id) AS (SELECT ? UNION ${allNextOf[kind]}) SELECT 1 AS found FROM reached WHERE id = ? LIMIT 1`,
        from,
        to,
      );
      return found !== undefined;
    },
    next: async (kind, id) => sql.all(nextOf[kind], id).map((row) => row.id as WorkItemId),
    isNeeded: async (kind, id) => sql.get(neededBy[kind], id) !== undefined,
    removeClosedBefore: async (at, except) =>
      removeItems(
        sql,
        `WITH RECURSIVE staying (id) AS (
           SELECT id FROM work_items WHERE NOT (status = 'closed' AND updated_at < ?)
           UNION SELECT value FROM json_each(?)
           UNION SELECT depends_on FROM work_item_dependencies JOIN staying ON item = staying.id
           UNION SELECT other FROM work_item_links JOIN staying ON item = staying.id
           UNION SELECT parent FROM work_items JOIN staying USING (id) WHERE parent IS NOT NULL
         ) SELECT id FROM work_items WHERE id NOT IN staying`,
        at,
        JSON.stringify(except),
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

/** One row for each time limit: a thousand rows would cost more than all else that `ready` reads. */
function ownersNow(sql: Sql): ClaimOwners {
  const rows = sql.all(
    "SELECT claim_ttl_ms AS ttl, json_group_array(owner) AS owners FROM work_items WHERE owner IS NOT NULL GROUP BY claim_ttl_ms",
  );
  return rows.map(({ ttl, owners }) => ({
    claimTtlMs: Number(ttl),
    agents: new Set(JSON.parse(String(owners)) as AgentId[]),
  }));
}

function removeItems(sql: Sql, chosen: string, ...values: readonly SqlValue[]): number {
  const ids = JSON.stringify(sql.all(chosen, ...values).map((row) => row.id));
  sql.run("DELETE FROM work_item_dependencies WHERE item IN (SELECT value FROM json_each(?))", ids);
  return sql.run("DELETE FROM work_items WHERE id IN (SELECT value FROM json_each(?))", ids).changes;
}

function textOf({ title, body, type, priority, labels, parent }: WorkItemRecord) {
  return [title, body ?? null, type, priority, JSON.stringify(labels), parent ?? null] as const;
}

function insertLinks(record: WorkItemRecord, sql: Sql): void {
  for (const needed of record.dependsOn)
    sql.run("INSERT INTO work_item_dependencies (item, depends_on) VALUES (?, ?)", record.id, needed);
  for (const [kind, field] of kindsOfLink)
    for (const other of record[field])
      sql.run("INSERT INTO work_item_links (item, kind, other) VALUES (?, ?, ?)", record.id, kind, other);
}

function json(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
