/** Imported lines, and links whose other end is still to come, in SQLite. */
import type { ProjectId, WorkItemId } from "../../../contract/index.ts";
import type { Sql } from "../../../platform/store/index.ts";
import type { ImportRepository, LinkKind } from "./store.ts";
import { selectWorkItem, toWorkItem } from "../work-item-row.ts";

export function sqliteImports(sql: Sql): ImportRepository {
  return {
    async lineOf(id) {
      const row = sql.get("SELECT line FROM work_item_imports WHERE item = ?", id);
      return row && String(row.line);
    },
    async setLine(id, line) {
      sql.run(
        "INSERT INTO work_item_imports (item, line) VALUES (?, ?) ON CONFLICT (item) DO UPDATE SET line = excluded.line",
        id,
        line,
      );
    },
    async page(project, after, limit) {
      const items = sql
        .all(
          `${selectWorkItem} WHERE work_items.project = ? AND work_items.id > ? ORDER BY work_items.id LIMIT ?`,
          project,
          after ?? "",
          limit,
        )
        .map(toWorkItem);
      return items.map((record) => {
        const row = sql.get("SELECT line FROM work_item_imports WHERE item = ?", record.id);
        return { record, line: row && String(row.line) };
      });
    },
    async keepOpenLink(project, item, kind, other) {
      sql.run(
        "INSERT INTO work_item_open_links (project, other, kind, item) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        project,
        other,
        kind,
        item,
      );
    },
    async takeOpenLinks(project, other) {
      const rows = sql.all(
        "SELECT item, kind FROM work_item_open_links WHERE project = ? AND other = ?",
        project,
        other,
      );
      if (rows.length > 0) sql.run("DELETE FROM work_item_open_links WHERE project = ? AND other = ?", project, other);
      return rows.map(({ item, kind }) => ({ item: item as WorkItemId, kind: kind as LinkKind }));
    },
    countOpenLinks: async (project: ProjectId) =>
      Number(sql.get("SELECT count(*) AS open FROM work_item_open_links WHERE project = ?", project)?.open),
    async dropOpenLinks(item) {
      sql.run("DELETE FROM work_item_open_links WHERE item = ?", item);
    },
    async addLink(item, kind, other) {
      if (kind === "parent") sql.run("UPDATE work_items SET parent = ? WHERE id = ?", other, item);
      else if (kind === "blocks")
        sql.run(
          "INSERT INTO work_item_dependencies (item, depends_on) VALUES (?, ?) ON CONFLICT DO NOTHING",
          item,
          other,
        );
      else
        sql.run(
          "INSERT INTO work_item_links (item, kind, other) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
          item,
          kind,
          other,
        );
    },
    async removeLink(item, kind, other) {
      if (kind === "parent") sql.run("UPDATE work_items SET parent = NULL WHERE id = ? AND parent = ?", item, other);
      else if (kind === "blocks")
        sql.run("DELETE FROM work_item_dependencies WHERE item = ? AND depends_on = ?", item, other);
      else sql.run("DELETE FROM work_item_links WHERE item = ? AND kind = ? AND other = ?", item, kind, other);
    },
  };
}
