/**
 * A process that opens a store with one migration more than it has, and kills itself at a named point:
 *
 *   node upgrade-child.ts <store> <point>
 */
import { openSqliteStore, type Migration } from "../../src/platform/store/index.ts";

export const known: readonly Migration[] = [{ number: 1, name: "first", sql: "CREATE TABLE notes (text TEXT) STRICT" }];
export const next: Migration = {
  number: 2,
  name: "second",
  sql: "ALTER TABLE notes ADD COLUMN at INTEGER; UPDATE notes SET at = 1, text = text || ' migrated'",
};
export const points = ["backing-up", "backed-up", "committing", "migrated"] as const;

const [, script, file, point] = process.argv;
if (script === import.meta.filename && file !== undefined) {
  openSqliteStore({
    file,
    migrations: [...known, next],
    repositories: {},
    onUpgrade(step) {
      if (step === point) process.kill(process.pid, "SIGKILL");
    },
  });
}
