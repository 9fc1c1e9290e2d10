/** Handoffs' rows in SQLite. */
import type { AgentId, Belongings, Homecoming } from "../../contract/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import type { HandoffRecord, HandoffRepository } from "./store.ts";

export function sqliteHandoffs(sql: Sql): HandoffRepository {
  return {
    async save({ agent, leftAt, reason, sequence, belongings, homecoming }) {
      sql.run(
        `INSERT OR REPLACE INTO handoffs (agent, left_at, reason, sequence, belongings, homecoming)
         VALUES (?, ?, ?, ?, ?, ?)`,
        agent,
        leftAt,
        reason,
        sequence,
        JSON.stringify(belongings),
        homecoming === undefined ? null : JSON.stringify(homecoming),
      );
    },
    async find(agent) {
      const row = sql.get("SELECT * FROM handoffs WHERE agent = ?", agent);
      return row && recordOf(row);
    },
    async withLeftProcesses() {
      return sql.all("SELECT * FROM handoffs WHERE belongings ->> '$.left' IS NOT NULL").map(recordOf);
    },
    async setHomecoming(agent, homecoming) {
      sql.run("UPDATE handoffs SET homecoming = ? WHERE agent = ?", JSON.stringify(homecoming), agent);
    },
    async remove(agents) {
      sql.run("DELETE FROM handoffs WHERE agent IN (SELECT value FROM json_each(?))", JSON.stringify(agents));
    },
  };
}

function recordOf(row: NonNullable<ReturnType<Sql["get"]>>): HandoffRecord {
  return {
    agent: row.agent as AgentId,
    leftAt: Number(row.left_at),
    reason: row.reason as HandoffRecord["reason"],
    sequence: Number(row.sequence),
    belongings: JSON.parse(String(row.belongings)) as Belongings,
    homecoming: row.homecoming === null ? undefined : (JSON.parse(String(row.homecoming)) as Homecoming),
  };
}
