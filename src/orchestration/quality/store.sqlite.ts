/** Processes of checks in SQLite. */
import type { Sql } from "../../platform/store/index.ts";
import type { CheckProcessRepository } from "./store.ts";

export function sqliteCheckProcesses(sql: Sql): CheckProcessRepository {
  return {
    async add({ pid, startedAt }) {
      sql.run("INSERT OR REPLACE INTO check_processes (pid, started_at) VALUES (?, ?)", pid, startedAt);
    },
    async remove({ pid, startedAt }) {
      sql.run("DELETE FROM check_processes WHERE pid = ? AND started_at = ?", pid, startedAt);
    },
    all: async () =>
      sql
        .all("SELECT * FROM check_processes")
        .map((row) => ({ pid: Number(row.pid), startedAt: String(row.started_at) })),
  };
}
