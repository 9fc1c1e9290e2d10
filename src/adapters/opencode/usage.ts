/** opencode's database, opened for reading only; a message that grew since is read again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RecordSource, UsageRecord } from "../../oversight/ledger/index.ts";
import { readSqliteFile } from "../../platform/store/index.ts";
import { type ClientUsage, userHome } from "../transcripts/index.ts";
import { readOpencodeMessage } from "./read-message.ts";

const pageSize = 1_000;
type Row = { readonly id: string; readonly session: string; readonly data: string; readonly changedAt: number };

export const opencodeUsage: ClientUsage = {
  records: (env) =>
    sourceIn(join(env.XDG_DATA_HOME || join(userHome(env), ".local", "share"), "opencode", "opencode.db")),
};

function sourceIn(file: string): RecordSource {
  return {
    source: file,
    client: "opencode",
    async *read(after) {
      if (!existsSync(file)) return;
      let last = { changedAt: after, id: "" };
      for (;;) {
        const rows = await rowsAfter(file, last);
        if (rows.length === 0) return;
        const results = rows.map(readOpencodeMessage);
        last = rows.at(-1)!;
        yield {
          records: results.filter((one): one is UsageRecord => typeof one === "object"),
          unreadable: results.filter((one) => one === "unreadable").length,
          // Again from this very time: others may be written in the same millisecond.
          next: last.changedAt - 1,
        };
      }
    },
  };
}

function rowsAfter(
  file: string,
  { changedAt, id }: { readonly changedAt: number; readonly id: string },
): Promise<readonly Row[]> {
  return readSqliteFile(file, async (sql) =>
    sql
      .all(
        `SELECT id, session_id, data, time_updated FROM message
         WHERE time_updated > ? OR (time_updated = ? AND id > ?) ORDER BY time_updated, id LIMIT ?`,
        changedAt,
        changedAt,
        id,
        pageSize,
      )
      .map((row) => ({
        id: String(row.id),
        session: String(row.session_id),
        data: String(row.data),
        changedAt: Number(row.time_updated),
      })),
  );
}
