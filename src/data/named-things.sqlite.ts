/**
 * Ids by a part of them or by a name, over the tables of all features: the one place that knows which table an id type has.
 * Reads only; every feature owns its rows.
 */
import type { FoundId, NamedKind } from "../contract/index.ts";
import type { Sql, SqlRow } from "../platform/store/index.ts";

/** How a word fits, the best first; only the best that finds anything counts. */
export const fits = ["exactly", "as start", "as start of the name", "within"] as const;
export type Fit = (typeof fits)[number];
export type NamedThings = {
  find(
    kind: NamedKind,
    text: string,
    fit: Fit,
    terms: { project: string | undefined; limit: number },
  ): Promise<readonly FoundId[]>;
};

type Source = { readonly from: string; readonly title: string; readonly name?: string; readonly project?: string };

const sources: Readonly<Record<NamedKind, Source>> = {
  prj: { from: "projects", title: "path", name: "name" },
  agt: { from: "agents", title: "name", name: "name", project: "project" },
  rsv: {
    from: "reservations",
    title:
      "(SELECT group_concat(value, ' ') FROM (SELECT value FROM json_each(paths) UNION ALL SELECT value FROM json_each(patterns)))",
    project: "project",
  },
  wrk: { from: "work_items", title: "title", name: "external_id", project: "project" },
  ses: { from: "sessions", title: "name", name: "name", project: "project" },
  run: { from: "runs", title: "request", name: "workspace ->> '$.branch'", project: "project" },
  dag: { from: "dag_runs", title: "name", name: "name", project: "project" },
  apr: { from: "approvals", title: "question", project: "project" },
  fnd: { from: "(SELECT * FROM findings WHERE id = root)", title: "summary", project: "project" },
  // Not the subject: only its readers may know it.
  msg: { from: "messages", title: "'from ' || (SELECT name FROM agents WHERE id = sender)", project: "project" },
  inc: { from: "incidents", title: "cause || ': ' || last_error" },
  ver: { from: "file_versions", title: "path", project: "project" },
  src: { from: "sources", title: "title", name: "title", project: "project" },
};

/** After every character of an id. */
const afterAll = "{";

export function sqliteNamedThings(sql: Sql): NamedThings {
  return {
    async find(kind, text, fit, { project, limit }) {
      const { from, title, name, project: owner } = sources[kind];
      const condition = conditionOf(kind, text, fit, name);
      if (condition === undefined) return [];
      const inProject = owner === undefined || project === undefined ? "" : ` AND ${owner} = ?`;
      const rows = sql.all(
        `SELECT id, ${title} AS title FROM ${from} WHERE (${condition.sql})${inProject} ORDER BY id DESC LIMIT ?`,
        ...condition.values,
        ...(inProject === "" ? [] : [project!]),
        limit,
      );
      return rows.map(toFound);
    },
  };
}

function conditionOf(
  kind: NamedKind,
  text: string,
  fit: Fit,
  name: string | undefined,
): { readonly sql: string; readonly values: readonly string[] } | undefined {
  const start = text.startsWith(`${kind}_`) ? text : `${kind}_${text}`;
  switch (fit) {
    case "exactly":
      return name === undefined
        ? { sql: "id = ?", values: [start] }
        : { sql: `id = ? OR ${name} = ?`, values: [start, text] };
    case "as start":
      return { sql: "id >= ? AND id < ?", values: [start, start + afterAll] };
    case "as start of the name":
      return name === undefined || text.length < 2
        ? undefined
        : { sql: `instr(lower(${name}), lower(?)) = 1`, values: [text] };
    case "within":
      return /^[0-9a-hjkmnp-tv-z]{4,22}$/.test(text) ? { sql: "instr(id, ?) > 4", values: [text] } : undefined;
  }
}

function toFound({ id, title }: SqlRow): FoundId {
  return {
    id: String(id),
    title: String(title ?? "")
      .split("\n")[0]!
      .slice(0, 200),
  };
}
