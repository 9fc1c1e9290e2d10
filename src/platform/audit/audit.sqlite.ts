/** The audit's rows in SQLite. */
import type { AuditActor, AuditEntry } from "../../contract/index.ts";
import type { Sql, SqlRow, SqlValue } from "../store/index.ts";
import type { AuditPorts, AuditQuery, AuditRepository } from "./audit.ts";
import { type ChainRow, firstPrevious, hashedColumns, hashRow, type StoredValue, storedValue } from "./chain.ts";

export function sqliteAudit({ clock, clean, onAppended }: AuditPorts): (sql: Sql) => AuditRepository {
  return (sql) => ({
    ...auditReader(sql),
    async append({ actor, action, subject, project = null, details = {} }) {
      const last = endOf(sql);
      const row = {
        sequence: (last?.sequence ?? 0) + 1,
        at: clock.now(),
        actor: wellFormed(JSON.stringify(actor)),
        action: wellFormed(action),
        subject: wellFormed(subject),
        project,
        details: wellFormed(JSON.stringify(clean(details))),
        previous: last?.hash ?? firstPrevious,
      };
      const values = hashedColumns.map((column) => [column, storedValue(row[column])] as const);
      const hash = hashRow(Object.fromEntries(values) as Omit<ChainRow, "hash">);
      sql.run(
        `INSERT INTO audit (${hashedColumns.join(", ")}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...hashedColumns.map((column) => row[column]),
        hash,
      );
      const entry = toEntry({ ...row, hash });
      sql.afterCommit(() => onAppended(entry));
      return entry;
    },
  });
}

/** Also over a copy of the store, which is never appended to. */
export function auditReader(sql: Sql): Omit<AuditRepository, "append"> {
  return {
    page: async (query) => selectPage(sql, query).map(toEntry),
    rows: async (after, limit) =>
      sql
        .all(
          `SELECT ${rawColumns} FROM audit ${after === undefined ? "" : "WHERE sequence > ?"} ORDER BY sequence LIMIT ?`,
          ...(after === undefined ? [] : [after]),
          limit,
        )
        .map(toChainRow),
    end: async () => endOf(sql),
  };
}

const rawColumns = [...hashedColumns, "hash"]
  .map((column) => `typeof(${column}) AS ${column}_type, CAST(${column} AS BLOB) AS ${column}_bytes`)
  .join(", ");

function toChainRow(row: SqlRow): ChainRow {
  const stored = [...hashedColumns, "hash"].map((column): [string, StoredValue] => [
    column,
    { type: String(row[`${column}_type`]), bytes: (row[`${column}_bytes`] as Uint8Array | null) ?? new Uint8Array() },
  ]);
  return Object.fromEntries(stored) as ChainRow;
}

function endOf(sql: Sql): { readonly sequence: number; readonly hash: string } | undefined {
  const row = sql.get("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1");
  return row && { sequence: Number(row.sequence), hash: String(row.hash) };
}

function selectPage(sql: Sql, { action, since, before, limit }: AuditQuery): readonly SqlRow[] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const wanted = (condition: string, ...of: readonly SqlValue[]): void => {
    conditions.push(condition);
    values.push(...of);
  };
  if (action !== undefined)
    wanted("(action = ? OR substr(action, 1, length(?) + 1) = ? || '.')", action, action, action);
  if (since !== undefined) wanted("at >= ?", since);
  if (before !== undefined) wanted("sequence < ?", before);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return sql.all(`SELECT * FROM audit ${where} ORDER BY sequence DESC LIMIT ?`, ...values, limit);
}

function toEntry(row: SqlRow): AuditEntry {
  return {
    sequence: Number(row.sequence),
    at: Number(row.at),
    actor: parsed(row.actor, { kind: "daemon" as const, name: "[unreadable]" }) as AuditActor,
    action: String(row.action),
    subject: String(row.subject),
    project: row.project === null || row.project === undefined ? null : String(row.project),
    details: parsed(row.details, { unreadable: true }),
    previousHash: String(row.previous),
    hash: String(row.hash),
  };
}

/** A spoilt row is still listed; `audit.verify` says what is wrong with it. */
function parsed(value: SqlValue | undefined, otherwise: Record<string, unknown>): Record<string, unknown> {
  try {
    const found = JSON.parse(String(value)) as unknown;
    return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : otherwise;
  } catch {
    return otherwise;
  }
}

/** A lone surrogate has no bytes in UTF-8: what is hashed must be what is stored. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
