/** Notices in SQLite. */
import { textIn } from "../../platform/sql-columns.ts";
import type { Sql } from "../../platform/store/index.ts";
import type { NoticeRepository } from "./store.ts";

export function sqliteNotices(sql: Sql): NoticeRepository {
  return {
    untold: async (causes) =>
      sql
        .all(
          `SELECT value AS cause FROM json_each(?)
           WHERE NOT EXISTS (SELECT 1 FROM notices WHERE notices.cause = value AND sent_at IS NOT NULL)`,
          JSON.stringify(causes),
        )
        .map((row) => String(row.cause)),
    async hold(causes, at) {
      for (const cause of causes) sql.run("INSERT OR IGNORE INTO notices (cause, first_at) VALUES (?, ?)", cause, at);
    },
    async markSent(causes, at) {
      for (const cause of causes)
        sql.run(
          `INSERT INTO notices (cause, first_at, sent_at) VALUES (?, ?, ?)
           ON CONFLICT (cause) DO UPDATE SET sent_at = excluded.sent_at`,
          cause,
          at,
          at,
        );
    },
    async markFailed(causes, why) {
      for (const cause of causes) sql.run("UPDATE notices SET failure = ? WHERE cause = ?", why, cause);
    },
    async failures() {
      const row = sql.get(
        `SELECT count(*) AS count, (SELECT failure FROM notices WHERE failure IS NOT NULL ORDER BY sent_at DESC LIMIT 1) AS last
         FROM notices WHERE failure IS NOT NULL`,
      );
      return { count: Number(row?.count ?? 0), last: textIn(row?.last) };
    },
    removeBefore: async (at) => sql.run("DELETE FROM notices WHERE first_at < ?", at).changes,
  };
}
