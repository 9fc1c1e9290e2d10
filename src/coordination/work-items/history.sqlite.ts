/** Rows beside the work items: progress, handoff records, notices, and outcomes of agents. */
import type { AgentRef, HandoffRecord, Notice, Progress, WorkItemId } from "../../contract/index.ts";
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { WorkItemRepository } from "./store.ts";

type WorkHistory = Pick<
  WorkItemRepository,
  | "addProgress"
  | "progressOf"
  | "setHandoff"
  | "handoffOf"
  | "addNotice"
  | "noticesOf"
  | "removeNoticesBefore"
  | "countOutcome"
  | "recordsOf"
>;

export function sqliteWorkHistory(sql: Sql): WorkHistory {
  return {
    async addProgress(id, report, keep) {
      sql.run("INSERT INTO work_item_progress (item, report) VALUES (?, ?)", id, JSON.stringify(report));
      sql.run(
        "DELETE FROM work_item_progress WHERE item = ? AND sequence NOT IN (SELECT sequence FROM work_item_progress WHERE item = ? ORDER BY sequence DESC LIMIT ?)",
        id,
        id,
        keep,
      );
    },
    async progressOf(id) {
      const rows = sql.all("SELECT report FROM work_item_progress WHERE item = ? ORDER BY sequence DESC", id);
      return rows.map(({ report }) => JSON.parse(String(report)) as Progress);
    },
    async setHandoff(id, record) {
      sql.run(
        "INSERT INTO work_item_handoffs (item, record) VALUES (?, ?) ON CONFLICT (item) DO UPDATE SET record = excluded.record",
        id,
        JSON.stringify(record),
      );
    },
    async handoffOf(id) {
      const row = sql.get("SELECT record FROM work_item_handoffs WHERE item = ?", id);
      return row && (JSON.parse(String(row.record)) as HandoffRecord);
    },
    async addNotice({ agent, item, kind, by, claim, text, at }) {
      const { changes } = sql.run(
        "INSERT INTO work_item_notices (agent, item, kind, by_agent, claim, text, at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        agent,
        item,
        kind,
        by === undefined ? "" : JSON.stringify(by),
        claim,
        text,
        at,
      );
      return changes > 0;
    },
    async noticesOf(agent, after, limit) {
      const rows = sql.all(
        "SELECT work_item_notices.*, title FROM work_item_notices JOIN work_items ON work_items.id = item WHERE agent = ? AND sequence > ? ORDER BY sequence LIMIT ?",
        agent,
        after,
        limit,
      );
      return rows.map(toNotice);
    },
    removeNoticesBefore: async (at) => sql.run("DELETE FROM work_item_notices WHERE at < ?", at).changes,
    async countOutcome(agent, type, { done, tookMs }) {
      sql.run(
        `INSERT INTO work_item_records (agent, type, done, failed, done_ms) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (agent, type) DO UPDATE SET done = done + excluded.done, failed = failed + excluded.failed, done_ms = done_ms + excluded.done_ms`,
        agent,
        type,
        done ? 1 : 0,
        done ? 0 : 1,
        done ? tookMs : 0,
      );
    },
    async recordsOf(agent) {
      const rows = sql.all("SELECT type, done, failed, done_ms FROM work_item_records WHERE agent = ?", agent);
      return rows.map(({ type, done, failed, done_ms: doneMs }) => ({
        type: String(type),
        done: Number(done),
        failed: Number(failed),
        doneMs: Number(doneMs),
      }));
    },
  };
}

function toNotice(row: SqlRow): Notice {
  return {
    sequence: Number(row.sequence),
    workItem: { id: row.item as WorkItemId, title: String(row.title) },
    kind: row.kind as Notice["kind"],
    ...(row.by_agent === "" ? {} : { by: JSON.parse(String(row.by_agent)) as AgentRef }),
    text: String(row.text),
    at: Number(row.at),
  };
}
