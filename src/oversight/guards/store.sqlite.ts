/** Overrides of guards in SQLite. */
import type { GuardName } from "../../contract/index.ts";
import type { Sql } from "../../platform/store/index.ts";
import type { GuardRepository } from "./store.ts";

export function sqliteGuards(sql: Sql): GuardRepository {
  return {
    overrides: async () =>
      sql.all("SELECT * FROM guard_overrides ORDER BY guard").map((row) => ({
        guard: row.guard as GuardName,
        why: String(row.why),
        until: Number(row.until),
      })),
    async setOverride({ guard, why, until }) {
      sql.run("INSERT OR REPLACE INTO guard_overrides (guard, why, until) VALUES (?, ?, ?)", guard, why, until);
    },
  };
}
