/** The tables of graphs in SQLite. */
import type { DagId, GraphId, ProjectId, SessionId } from "../../contract/index.ts";
import { jsonIn, numberIn, textIn } from "../../platform/sql-columns.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { GraphRecord, GraphRepository, NodeRow, StoredStatus } from "./store.ts";

/** Nodes that continue without a person, including those that wait for a reservation. */
const open = `(state IN ('queued', 'running') OR (state = 'blocked' AND record ->> '$.block.on' = 'reservation'))`;
/** Only `sylk dag`: a graph of a run has the id of its run. */
const written = "id GLOB 'dag_*'";
const over = "status IN ('succeeded', 'failed', 'cancelled')";
/** Only a person can bring the graph further: a node is blocked, and no node is queued or running. */
const waits = `status = 'running' AND EXISTS (SELECT 1 FROM dag_nodes WHERE dag = dag_runs.id AND state = 'blocked')
  AND NOT EXISTS (SELECT 1 FROM dag_nodes WHERE dag = dag_runs.id AND ${open})`;

export function sqliteDags(sql: Sql): GraphRepository {
  return { ...runRows(sql), ...graphRows(sql), ...nodeRows(sql) };
}

type Part<Names extends keyof GraphRepository> = Pick<GraphRepository, Names>;

function runRows(
  sql: Sql,
): Part<
  | "insert"
  | "find"
  | "list"
  | "withStatus"
  | "currentOf"
  | "setStatus"
  | "idsOf"
  | "removeProject"
  | "unfinishedOf"
  | "removeFinishedBefore"
> {
  return {
    async insert(dag, graph) {
      sql.run(
        `INSERT INTO dag_runs (id, session, project, name, status, reason, options, version, nodes, since, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        dag.id,
        dag.session,
        dag.project,
        dag.name,
        dag.status,
        dag.reason ?? null,
        JSON.stringify(dag.options),
        dag.version,
        dag.nodes,
        dag.since,
        dag.createdAt,
        dag.updatedAt,
      );
      insertVersion(sql, dag.id, dag.version, graph);
    },
    async find(id) {
      const row = sql.get("SELECT * FROM dag_runs WHERE id = ?", id);
      return row && toDag(row);
    },
    async list({ project, session, status, before, limit }) {
      const wanted: readonly (readonly [string, string | undefined])[] = [
        ["project = ?", project],
        ["session = ?", session],
        ["id < ?", before],
        ["status = ?", status === "waiting" ? undefined : status],
      ];
      const given = wanted.filter((entry): entry is [string, string] => entry[1] !== undefined);
      const conditions = [
        written,
        ...given.map(([condition]) => condition),
        ...(status === "waiting" ? [waits] : []),
        ...(status === "running" ? [`NOT (${waits})`] : []),
      ];
      const values = given.map(([, value]) => value);
      return sql
        .all(`SELECT * FROM dag_runs WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`, ...values, limit)
        .map(toDag);
    },
    withStatus: async (status) => sql.all("SELECT * FROM dag_runs WHERE status = ? ORDER BY id", status).map(toDag),
    async currentOf(session) {
      const row = sql.get(
        `SELECT *, count(*) FILTER (WHERE NOT ${over}) OVER () AS unfinished FROM dag_runs WHERE session = ?
         ORDER BY ${over}, id DESC LIMIT 1`,
        session,
      );
      return row && { dag: toDag(row), unfinished: Number(row.unfinished) };
    },
    async setStatus(id, status, reason, at) {
      sql.run(
        "UPDATE dag_runs SET status = ?, reason = ?, updated_at = ? WHERE id = ?",
        status,
        reason ?? null,
        at,
        id,
      );
    },
    idsOf: async (project) =>
      sql.all(`SELECT id FROM dag_runs WHERE project = ? AND ${written}`, project).map((row) => row.id as DagId),
    removeProject: async (project) => sql.run(`DELETE FROM dag_runs WHERE project = ? AND ${written}`, project).changes,
    unfinishedOf: async (project) =>
      Number(
        sql.get(`SELECT count(*) AS n FROM dag_runs WHERE project = ? AND ${written} AND NOT ${over}`, project)?.n,
      ),
    removeFinishedBefore: async (at) =>
      sql.run(`DELETE FROM dag_runs WHERE ${written} AND ${over} AND updated_at < ?`, at).changes,
  };
}

function graphRows(sql: Sql): Part<"changesOf" | "addChange"> {
  return {
    changesOf: async (id) =>
      sql.all("SELECT change FROM dag_versions WHERE dag = ? ORDER BY version", id).map((row) => jsonIn(row.change)),
    async addChange(id, change, { version, grownBy, at }) {
      insertVersion(sql, id, version, change);
      sql.run(
        "UPDATE dag_runs SET version = ?, nodes = nodes + ?, updated_at = ? WHERE id = ?",
        version,
        grownBy,
        at,
        id,
      );
      for (const node of [...change.remove, ...Object.keys(change.nodes)]) {
        sql.run("DELETE FROM dag_nodes WHERE dag = ? AND node = ?", id, node);
        sql.run("DELETE FROM dag_outputs WHERE dag = ? AND node = ?", id, node);
      }
    },
  };
}

function insertVersion(sql: Sql, id: GraphId, version: number, change: unknown): void {
  sql.run("INSERT INTO dag_versions (dag, version, change) VALUES (?, ?, ?)", id, version, JSON.stringify(change));
}

function nodeRows(
  sql: Sql,
): Part<"saveNode" | "nodesOf" | "setTimes" | "tallyOf" | "saveOutput" | "outputOf" | "begin"> {
  return {
    async saveNode(id, { node, state, record, endedAt }) {
      sql.run(
        `INSERT INTO dag_nodes (dag, node, state, record, ended_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (dag, node) DO UPDATE SET state = excluded.state, record = excluded.record, ended_at = excluded.ended_at,
           started_at = CASE excluded.state WHEN 'running' THEN NULL WHEN 'queued' THEN NULL ELSE started_at END,
           agent = CASE excluded.state WHEN 'running' THEN NULL ELSE agent END`,
        id,
        node,
        state,
        JSON.stringify(record),
        endedAt ?? null,
      );
    },
    nodesOf: async (id) =>
      sql.all("SELECT node, record, started_at, ended_at, agent FROM dag_nodes WHERE dag = ?", id).map(toNode),
    async tallyOf(id) {
      const row = sql.get(
        `SELECT count(*) FILTER (WHERE state IN ('succeeded', 'failed', 'skipped', 'cancelled')) AS done,
           count(*) FILTER (WHERE ${open}) AS open, count(*) FILTER (WHERE state = 'blocked') AS blocked
         FROM dag_nodes WHERE dag = ?`,
        id,
      );
      return { done: Number(row?.done), open: Number(row?.open), blocked: Number(row?.blocked) };
    },
    async setTimes(id, node, { startedAt, endedAt, agent }) {
      sql.run(
        "UPDATE dag_nodes SET started_at = ?, ended_at = ?, agent = ? WHERE dag = ? AND node = ?",
        startedAt ?? null,
        endedAt ?? null,
        agent ?? null,
        id,
        node,
      );
    },
    async begin(id, node, at, agent) {
      sql.run("UPDATE dag_nodes SET started_at = ?, agent = ? WHERE dag = ? AND node = ?", at, agent ?? null, id, node);
    },
    async saveOutput(id, node, output) {
      sql.run("INSERT OR REPLACE INTO dag_outputs (dag, node, output) VALUES (?, ?, ?)", id, node, output);
    },
    async outputOf(id, node) {
      return textIn(sql.get("SELECT output FROM dag_outputs WHERE dag = ? AND node = ?", id, node)?.output);
    },
  };
}

function toDag(row: SqlRow): GraphRecord {
  return {
    id: row.id as GraphId,
    session: row.session as SessionId,
    project: row.project as ProjectId,
    name: String(row.name),
    status: row.status as StoredStatus,
    reason: textIn(row.reason),
    options: jsonIn(row.options),
    version: Number(row.version),
    nodes: Number(row.nodes),
    since: Number(row.since),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

function toNode(row: SqlRow): NodeRow {
  return {
    node: String(row.node),
    record: jsonIn(row.record),
    startedAt: numberIn(row.started_at),
    endedAt: numberIn(row.ended_at),
    agent: textIn(row.agent),
  };
}
