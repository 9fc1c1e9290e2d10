/** Local history's rows in SQLite. */
import type { AgentId, ClientName, FileVersion, FileVersionId, ProjectId } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../../platform/store/index.ts";
import type { ContentPlace, FileVersionRepository, VersionQuery, VersionRecord } from "./store.ts";

export function sqliteFileVersions(sql: Sql): FileVersionRepository {
  const removed = ({ changes }: { readonly changes: number }): number => {
    if (changes > 0) dropUnneeded(sql);
    return changes;
  };
  return {
    add: async (version) => insert(sql, version),
    async addPack({ name, bytes }, contents) {
      sql.run("INSERT INTO file_packs (name, bytes) VALUES (?, ?)", name, bytes);
      for (const { hash, pack, start, stored, bytes: whole } of contents)
        sql.run(
          "INSERT INTO file_contents (hash, pack, start, stored, bytes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
          hash,
          pack,
          start,
          stored,
          whole,
        );
    },
    async find(id) {
      const row = sql.get("SELECT * FROM file_versions WHERE id = ?", id);
      return row && recordOf(row);
    },
    async latest(tree, path) {
      const row = sql.get(
        "SELECT * FROM file_versions WHERE tree = ? AND path = ? ORDER BY sequence DESC LIMIT 1",
        tree,
        path,
      );
      return row && recordOf(row);
    },
    chain: async (tree, path) =>
      sql.all("SELECT * FROM file_versions WHERE tree = ? AND path = ? ORDER BY sequence", tree, path).map(recordOf),
    async list({ before, limit, ...query }) {
      const { where, values } = conditions(query, before);
      return sql
        .all(`SELECT * FROM file_versions WHERE ${where} ORDER BY sequence DESC LIMIT ?`, ...values, limit)
        .map(recordOf);
    },
    async paths(query) {
      const { where, values } = conditions(query, undefined);
      return sql
        .all(`SELECT DISTINCT path FROM file_versions WHERE ${where} ORDER BY path`, ...values)
        .map(({ path }) => path as string);
    },
    async placeOf(hash) {
      return sql.get("SELECT * FROM file_contents WHERE hash = ?", hash) as ContentPlace | undefined;
    },
    packs: async () =>
      sql.all("SELECT name, bytes FROM file_packs ORDER BY name") as readonly { name: string; bytes: number }[],
    count: async () => sql.get("SELECT count(*) AS count FROM file_versions")!.count as number,
    removeBefore: async (at) => removed(sql.run("DELETE FROM file_versions WHERE seen_at < ?", at)),
    removeOldest: async (count) =>
      removed(
        sql.run(
          "DELETE FROM file_versions WHERE sequence IN (SELECT sequence FROM file_versions ORDER BY sequence LIMIT ?)",
          count,
        ),
      ),
    removeProject: async (project) => removed(sql.run("DELETE FROM file_versions WHERE project = ?", project)),
  };
}

function dropUnneeded(sql: Sql): void {
  sql.run(
    "DELETE FROM file_contents WHERE NOT EXISTS (SELECT 1 FROM file_versions WHERE file_versions.hash = file_contents.hash)",
  );
  sql.run(
    "DELETE FROM file_packs WHERE NOT EXISTS (SELECT 1 FROM file_contents WHERE file_contents.pack = file_packs.name)",
  );
}

function insert(sql: Sql, version: VersionRecord): void {
  const { author } = version;
  sql.run(
    `INSERT INTO file_versions (id, project, tree, path, seen_at, seen, state, hash, bytes, mode, agent, agent_name,
      agent_client, known_by, command) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    version.id,
    version.project,
    version.tree,
    version.path,
    version.seenAt,
    version.seen,
    version.state,
    version.hash ?? null,
    version.bytes ?? null,
    version.mode ?? null,
    author?.id ?? null,
    author?.name ?? null,
    author?.client ?? null,
    version.knownBy,
    version.command ?? null,
  );
}

function conditions(
  { project, tree, path, agent, since }: Omit<VersionQuery, "before" | "limit">,
  before: string | undefined,
): { readonly where: string; readonly values: readonly SqlValue[] } {
  const terms: readonly (readonly [string, string | number | undefined])[] = [
    ["project = ?", project],
    ["tree = ?", tree],
    ["path = ?", path],
    ["agent = ?", agent],
    ["seen_at >= ?", since],
    ["sequence < coalesce((SELECT sequence FROM file_versions WHERE id = ?), 0)", before],
  ];
  const given = terms.flatMap(([text, value]) => (value === undefined ? [] : [{ text, value }]));
  return {
    where: ["1", ...given.map(({ text }) => text)].join(" AND "),
    values: given.map(({ value }) => value),
  };
}

function recordOf(row: SqlRow): VersionRecord {
  return {
    id: row.id as FileVersionId,
    project: row.project as ProjectId,
    tree: row.tree as string,
    path: row.path as string,
    seenAt: row.seen_at as number,
    seen: row.seen as FileVersion["seen"],
    state: row.state as FileVersion["state"],
    hash: (row.hash ?? undefined) as string | undefined,
    bytes: (row.bytes ?? undefined) as number | undefined,
    mode: (row.mode ?? undefined) as number | undefined,
    author:
      row.agent === null
        ? undefined
        : { id: row.agent as AgentId, name: row.agent_name as string, client: row.agent_client as ClientName },
    knownBy: row.known_by as FileVersion["knownBy"],
    command: (row.command ?? undefined) as string | undefined,
  };
}
