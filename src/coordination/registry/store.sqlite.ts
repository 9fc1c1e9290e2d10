/** The registry's rows in SQLite. */
import type { AgentId, ClientKind, Project, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { AgentRecord, AgentRepository, ProjectRepository, TokenRepository } from "./store.ts";

const selectAgent =
  "SELECT agents.*, projects.name AS project_name, projects.path AS project_path FROM agents JOIN projects ON projects.id = agents.project";

export function sqliteAgents(sql: Sql): AgentRepository {
  return {
    async insert(record) {
      sql.run(
        `INSERT INTO agents (id, project, session_key, registered_at, name, client, tree, capabilities, pid, last_seen_at, offline_at, ended_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        record.id,
        record.project.id,
        record.sessionKey,
        record.registeredAt,
        ...changeable(record),
      );
    },
    async update(record) {
      sql.run(
        "UPDATE agents SET name = ?, client = ?, tree = ?, capabilities = ?, pid = ?, last_seen_at = ?, offline_at = ?, ended_at = ? WHERE id = ?",
        ...changeable(record),
        record.id,
      );
    },
    find: async (id) => toAgent(sql.get(`${selectAgent} WHERE agents.id = ?`, id)),
    findBySessionKey: async (project, key) =>
      toAgent(sql.get(`${selectAgent} WHERE agents.project = ? AND session_key = ?`, project, key)),
    findByName: async (project, name) =>
      toAgent(sql.get(`${selectAgent} WHERE agents.project = ? AND agents.name = ?`, project, name)),
    async list({ project, includeGone }) {
      const live = includeGone ? "1" : "agents.ended_at IS NULL AND agents.offline_at IS NULL";
      const rows =
        project === undefined
          ? sql.all(`${selectAgent} WHERE ${live}`)
          : sql.all(`${selectAgent} WHERE ${live} AND agents.project = ?`, project);
      return rows.map((row) => toAgent(row)!);
    },
    async setLastSeen(id, at) {
      sql.run("UPDATE agents SET last_seen_at = ? WHERE id = ? AND ended_at IS NULL", at, id);
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
      return toProject(sql.get("SELECT id, path, name FROM projects WHERE path = ?", path));
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
      const row = sql.get("SELECT agent FROM tokens WHERE hash = ?", hash);
      return row && { agent: (row.agent ?? undefined) as AgentId | undefined };
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
  const { name, client, tree, capabilities, pid, lastSeenAt, offlineAt, endedAt } = record;
  return [
    name,
    client,
    tree,
    JSON.stringify(capabilities),
    pid ?? null,
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
    client: row.client as ClientKind,
    sessionKey: String(row.session_key),
    tree: String(row.tree),
    capabilities: JSON.parse(String(row.capabilities)) as string[],
    pid: optionalNumber(row.pid),
    registeredAt: Number(row.registered_at),
    lastSeenAt: Number(row.last_seen_at),
    offlineAt: optionalNumber(row.offline_at),
    endedAt: optionalNumber(row.ended_at),
  };
}

function optionalNumber(value: SqlRow[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
