/** Kept answers in SQLite. */
import type { Sql } from "../store/index.ts";
import type { IdempotencyRepository } from "./idempotency.ts";

export function sqliteIdempotency(sql: Sql): IdempotencyRepository {
  return {
    async find({ caller, operation, key }) {
      const row = sql.get(
        "SELECT input_hash, answer, at FROM idempotency WHERE caller = ? AND operation = ? AND key = ?",
        caller,
        operation,
        key,
      );
      return row && { inputHash: String(row.input_hash), answer: String(row.answer), at: Number(row.at) };
    },
    async keep({ caller, operation, key }, { inputHash, answer, at }) {
      sql.run(
        "INSERT OR REPLACE INTO idempotency (caller, operation, key, input_hash, answer, at) VALUES (?, ?, ?, ?, ?, ?)",
        caller,
        operation,
        key,
        inputHash,
        answer,
        at,
      );
    },
    async removeAbout(callers, ids) {
      return sql.run(
        `DELETE FROM idempotency WHERE caller IN (SELECT value FROM json_each(?))
         OR EXISTS (SELECT 1 FROM json_each(?) AS id WHERE instr(answer, id.value) > 0)`,
        JSON.stringify(callers),
        JSON.stringify(ids),
      ).changes;
    },
    async removeBefore(at) {
      return sql.run("DELETE FROM idempotency WHERE at < ?", at).changes;
    },
  };
}
