/** The ledger's rows in SQLite. */
import type { Sql, SqlRow } from "../../platform/store/index.ts";
import type { Cursor, LedgerRepository } from "./store.ts";
import { preferred, type UsageRecord } from "./usage-record.ts";

export function sqliteLedger(sql: Sql): LedgerRepository {
  return {
    async put(records) {
      for (const record of records) {
        if (insert(sql, record)) continue; // most are new
        const row = sql.get("SELECT * FROM ledger_usage WHERE key = ?", record.key);
        const kept = row && toRecord(row);
        if (kept !== undefined && preferred(kept, record) === record) replace(sql, record);
      }
    },
    sources: async () =>
      sql.all("SELECT * FROM ledger_sources ORDER BY source").map((row) => ({
        source: String(row.source),
        client: String(row.client),
        cursor: JSON.parse(String(row.cursor)) as Cursor,
        unreadable: Number(row.unreadable),
      })),
    async setSource({ source, client, cursor, unreadable }, at) {
      sql.run(
        "INSERT OR REPLACE INTO ledger_sources (source, client, cursor, unreadable, read_at) VALUES (?, ?, ?, ?, ?)",
        source,
        client,
        JSON.stringify(cursor),
        unreadable,
        at,
      );
    },
    pages: ({ since, size }) => (since === undefined ? allPages(sql, size) : pagesSince(sql, since, size)),
    async removeBefore(at) {
      sql.run("DELETE FROM ledger_usage WHERE at < ?", at);
      sql.run("DELETE FROM ledger_sources WHERE read_at < ?", at);
    },
  };
}

async function* allPages(sql: Sql, size: number): AsyncGenerator<readonly UsageRecord[]> {
  for (let after = 0; ;) {
    const rows = sql.all(
      "SELECT rowid AS mark, * FROM ledger_usage WHERE rowid > ? ORDER BY rowid LIMIT ?",
      after,
      size,
    );
    if (rows.length > 0) yield rows.map(toRecord);
    if (rows.length < size) return;
    after = Number(rows.at(-1)!.mark);
  }
}

/** By the index on time: a question about today does not walk through a year. */
async function* pagesSince(sql: Sql, since: number, size: number): AsyncGenerator<readonly UsageRecord[]> {
  for (let [at, after] = [since, 0]; ;) {
    const rows = sql.all(
      "SELECT rowid AS mark, * FROM ledger_usage WHERE (at, rowid) > (?, ?) ORDER BY at, rowid LIMIT ?",
      at,
      after,
      size,
    );
    if (rows.length > 0) yield rows.map(toRecord);
    if (rows.length < size) return;
    const last = rows.at(-1)!;
    [at, after] = [Number(last.at), Number(last.mark)];
  }
}

/** False where the call is known already. */
function insert(sql: Sql, record: UsageRecord): boolean {
  const { changes } = sql.run(
    `INSERT INTO ledger_usage (client, session, agent, role, node, model, at, input, output, cache_read, cache_write,
       cache_write_long, context, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    ...valuesOf(record),
  );
  return changes > 0;
}

function replace(sql: Sql, record: UsageRecord): void {
  sql.run(
    `UPDATE ledger_usage SET client = ?, session = ?, agent = ?, role = ?, node = ?, model = ?, at = ?, input = ?, output = ?,
       cache_read = ?, cache_write = ?, cache_write_long = ?, context = ? WHERE key = ?`,
    ...valuesOf(record),
  );
}

function valuesOf(record: UsageRecord) {
  return [
    record.client,
    record.session,
    record.agent ?? null,
    record.role ?? null,
    record.node ?? null,
    record.model ?? null,
    record.at ?? null,
    record.input ?? null,
    record.output ?? null,
    record.cacheRead ?? null,
    record.cacheWrite ?? null,
    record.cacheWriteLong ?? null,
    record.context ?? null,
    record.key,
  ] as const;
}

function toRecord(row: SqlRow): UsageRecord {
  const text = (column: string) => (row[column] === null ? undefined : String(row[column]));
  const count = (column: string) => (row[column] === null ? undefined : Number(row[column]));
  return {
    key: String(row.key),
    client: String(row.client),
    session: String(row.session),
    agent: text("agent"),
    role: text("role"),
    node: text("node"),
    model: text("model"),
    at: count("at"),
    input: count("input"),
    output: count("output"),
    cacheRead: count("cache_read"),
    cacheWrite: count("cache_write"),
    cacheWriteLong: count("cache_write_long"),
    context: count("context"),
  };
}
