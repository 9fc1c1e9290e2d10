/** Processes in SQLite. */
import type { Sql } from "../../platform/store/index.ts";
import type { ProcessRepository } from "./process-store.ts";

export function sqliteProcesses(sql: Sql): ProcessRepository {
  return {
    async add({ pid, startedAt, owner }) {
      sql.run("INSERT OR REPLACE INTO processes (pid, started_at, owner) VALUES (?, ?, ?)", pid, startedAt, owner);
    },
    async remove({ pid, startedAt }) {
      sql.run("DELETE FROM processes WHERE pid = ? AND started_at = ?", pid, startedAt);
    },
    list: async (owner) =>
      sql
        .all("SELECT * FROM processes WHERE owner = coalesce(?, owner)", owner ?? null)
        .map((row) => ({ pid: Number(row.pid), startedAt: String(row.started_at), owner: String(row.owner) })),
  };
}
