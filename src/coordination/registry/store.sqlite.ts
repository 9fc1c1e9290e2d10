/** The registry's rows in SQLite. */
import type { AgentId, Project, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { AgentRecord, AgentRepository, ProjectRepository, TokenRepository } from "./store.ts";

const from = "FROM agents JOIN projects ON projects.id = agents.project";
const selectAgent = `SELECT agents.*, projects.name AS project_name, projects.path AS project_path ${from}`;
const selectById = `${selectAgent} WHERE agents.id = ?`;
const selectBySessionKey = `${selectAgent} WHERE agents.project = ? AND session_key = ?`;
/** What an agent's record is read from. */
const tables = "agents projects";
/** Twice the price: only for those who show it. */
const selectAgentAndWork = `SELECT agents.*, projects.name AS project_name, projects.path AS project_path,
  (SELECT json_object('id', work_items.id, 'title', work_items.title) FROM work_items
    WHERE work_items.owner = agents.id ORDER BY work_items.updated_at DESC, work_items.id DESC LIMIT 1) AS work_item ${from}`;

const live = "agents.ended_at IS NULL AND agents.offline_at IS NULL";
const declaredAll = `NOT EXISTS (SELECT 1 FROM json_each(?) AS wanted WHERE NOT EXISTS (
  SELECT 1 FROM agent_capabilities WHERE capability = wanted.value AND agent = agents.id))`;

export function sqliteAgents(sql: Sql): AgentRepository {
  const many = (text: string, ...values: readonly SqlValue[]): readonly AgentRecord[] =>
    sql.all(text, ...values).map((row) => toAgent(row)!);
  function indexCapabilities({ id, capabilities }: AgentRecord): void {
    sql.run("DELETE FROM agent_capabilities WHERE agent = ?", id);
    sql.run(
      "INSERT OR IGNORE INTO agent_capabilities (capability, agent) SELECT value, ? FROM json_each(?)",
      id,
      JSON.stringify(capabilities),
    );
  }
  return {
    async insert(record) {
      sql.run(
        `INSERT INTO agents (id, project, session_key, parent, registered_at, name, client, tree, branch, capabilities, pid,
           process_start, host, last_seen_at, offline_at, ended_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        record.id,
        record.project.id,
        record.sessionKey,
        record.parent ?? null,
        record.registeredAt,
        ...changeable(record),
      );
      indexCapabilities(record);
    },
    async update(record) {
      sql.run(
        `UPDATE agents SET name = ?, client = ?, tree = ?, branch = ?, capabilities = ?, pid = ?, process_start = ?, host = ?,
           last_seen_at = ?, offline_at = ?, ended_at = ?, compacted_at = NULL WHERE id = ?`,
        ...changeable(record),
        record.id,
      );
      indexCapabilities(record);
    },
    find: async (id) => sql.recall(tables, id, () => toAgent(sql.get(selectById, id))),
    findWithWork: async (id) => toAgent(sql.get(`${selectAgentAndWork} WHERE agents.id = ?`, id)),
    findBySessionKey: async (project, key) =>
      sql.recall(tables, `${project} ${key}`, () => toAgent(sql.get(selectBySessionKey, project, key))),
    findByName: async (project, name) =>
      toAgent(sql.get(`${selectAgent} WHERE agents.project = ? AND agents.name = ?`, project, name)),
    findByTree: async (tree) =>
      toAgent(sql.get(`${selectAgent} WHERE agents.tree = ? ORDER BY agents.id DESC LIMIT 1`, tree)),
    listByProcess: async (project, pid) =>
      many(
        `${selectAgent} WHERE agents.project = ? AND agents.pid = ? AND agents.process_start IS NOT NULL AND agents.ended_at IS NULL
         ORDER BY agents.parent IS NOT NULL, agents.id DESC`,
        project,
        pid,
      ),
    async list({ project, includeGone, capabilities = [], withWork = false }) {
      const conditions = [includeGone ? "agents.compacted_at IS NULL" : live];
      const values: string[] = [];
      if (project !== undefined) {
        conditions.push("agents.project = ?");
        values.push(project);
      }
      if (capabilities.length > 0) {
        conditions.push(declaredAll);
        values.push(JSON.stringify(capabilities));
      }
      return many(`${withWork ? selectAgentAndWork : selectAgent} WHERE ${conditions.join(" AND ")}`, ...values);
    },
    count: async (project) =>
      Number(sql.get("SELECT count(*) AS known FROM agents WHERE project = ?", project)?.known ?? 0),
    childrenOf: async (parent) =>
      many(`${selectAgent} WHERE agents.parent = ? AND agents.ended_at IS NULL ORDER BY agents.id`, parent),
    async watchedProcesses() {
      const rows = sql.all(
        `SELECT id, pid, process_start, client, session_key FROM agents WHERE process_start IS NOT NULL AND pid IS NOT NULL AND ${live}`,
      );
      return rows.map((row) => ({
        agent: row.id as AgentId,
        pid: Number(row.pid),
        start: String(row.process_start),
        client: String(row.client),
        sessionKey: String(row.session_key),
      }));
    },
    async setLastSeen(id, at) {
      sql.run("UPDATE agents SET last_seen_at = ? WHERE id = ? AND ended_at IS NULL", at, id);
    },
    async compactGoneBefore(at) {
      const rows = sql.all(
        `UPDATE agents SET compacted_at = ?, capabilities = '[]', pid = NULL, process_start = NULL, branch = NULL
         WHERE compacted_at IS NULL AND coalesce(ended_at, offline_at) < ? RETURNING id`,
        at,
        at,
      );
      const gone = rows.map((row) => row.id as AgentId);
      for (const table of ["agent_capabilities", "tokens"])
        sql.run(`DELETE FROM ${table} WHERE agent IN (SELECT value FROM json_each(?))`, JSON.stringify(gone));
      return gone;
    },
    endedBefore: async (at) =>
      sql.all("SELECT id FROM agents WHERE ended_at < ? ORDER BY id", at).map((row) => row.id as AgentId),
    async remove(ids) {
      const chosen = JSON.stringify(ids);
      sql.run("DELETE FROM tokens WHERE agent IN (SELECT value FROM json_each(?))", chosen);
      return sql.run("DELETE FROM agents WHERE id IN (SELECT value FROM json_each(?))", chosen).changes;
    },
  };
}

export function sqliteProjects(sql: Sql): ProjectRepository {
  return {
    async findByPath(path) {
      return sql.recall("projects", path, () =>
        toProject(sql.get("SELECT id, path, name FROM projects WHERE path = ?", path)),
      );
    },
    find: async (id) => toProject(sql.get("SELECT id, path, name FROM projects WHERE id = ?", id)),
    list: async () =>
      sql
        .all("SELECT * FROM projects ORDER BY id")
        .map((row) => ({ ...toProject(row)!, firstSeenAt: Number(row.first_seen_at) })),
    async remove(id) {
      sql.run("DELETE FROM projects WHERE id = ?", id);
    },
    async insert({ id, path, name }, at) {
      sql.run("INSERT INTO projects (id, path, name, first_seen_at) VALUES (?, ?, ?, ?)", id, path, name, at);
    },
  };
}

function toProject(row: SqlRow | undefined): Project | undefined {
  return row && { id: row.id as ProjectId, path: String(row.path), name: String(row.name) };
}

export function sqliteTokens(sql: Sql): TokenRepository {
  return {
    async issue(hash, agent, at) {
      sql.run("INSERT INTO tokens (hash, agent, issued_at) VALUES (?, ?, ?)", hash, agent ?? null, at);
    },
    async find(hash) {
      return sql.recall("tokens", hash, () => {
        const row = sql.get("SELECT agent FROM tokens WHERE hash = ?", hash);
        return row && { agent: (row.agent ?? undefined) as AgentId | undefined };
      });
    },
    async findByHashStart(start) {
      const rows = sql.all("SELECT agent FROM tokens WHERE hash >= ? AND hash < ? LIMIT 2", start, `${start}g`);
      return rows.length === 1 ? ((rows[0]!.agent ?? undefined) as AgentId | undefined) : undefined;
    },
    async revokeAllOf(agent) {
      sql.run("DELETE FROM tokens WHERE agent IS ?", agent ?? null);
    },
    async keepNewest(agent, count) {
      // By order of issue: after the wall clock went back, the newest token would look like the oldest.
      sql.run(
        "DELETE FROM tokens WHERE agent = ? AND rowid NOT IN (SELECT rowid FROM tokens WHERE agent = ? ORDER BY rowid DESC LIMIT ?)",
        agent,
        agent,
        count,
      );
    },
  };
}

function changeable(record: AgentRecord) {
  const { name, client, tree, branch, capabilities, pid, processStart, host, lastSeenAt, offlineAt, endedAt } = record;
  return [
    name,
    client,
    tree,
    branch ?? null,
    JSON.stringify(capabilities),
    pid ?? null,
    processStart ?? null,
    host ?? null,
    lastSeenAt,
    offlineAt ?? null,
    endedAt ?? null,
  ] as const;
}

function toAgent(row: SqlRow | undefined): AgentRecord | undefined {
  if (row === undefined) return undefined;
  const project: Project = {
    id: row.project as ProjectId,
    name: String(row.project_name),
    path: String(row.project_path),
  };
  return {
    id: row.id as AgentId,
    project,
    name: String(row.name),
    client: String(row.client),
    sessionKey: String(row.session_key),
    parent: (row.parent ?? undefined) as AgentId | undefined,
    tree: String(row.tree),
    branch: optionalText(row.branch),
    capabilities: JSON.parse(String(row.capabilities)) as string[],
    pid: optionalNumber(row.pid),
    processStart: optionalText(row.process_start),
    host: optionalText(row.host),
    workItem: row.work_item ? (JSON.parse(String(row.work_item)) as AgentRecord["workItem"]) : undefined,
    registeredAt: Number(row.registered_at),
    lastSeenAt: Number(row.last_seen_at),
    offlineAt: optionalNumber(row.offline_at),
    endedAt: optionalNumber(row.ended_at),
  };
}

function optionalNumber(value: SqlRow[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function optionalText(value: SqlRow[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
