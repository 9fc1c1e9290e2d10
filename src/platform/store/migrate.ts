/**
 * Migrations: numbered SQL files of all folders, run forward once, each in its own transaction.
 * A store that is newer than this program is refused: an old program must not guess at new tables.
 */
import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";

export type Migration = { readonly number: number; readonly name: string; readonly sql: string };

export function migrate(connection: Database, migrations: readonly Migration[]): void {
  connection.exec(
    "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT",
  );
  const applied = new Map(
    connection
      .prepare<[], { number: number; checksum: string }>("SELECT number, checksum FROM migrations")
      .all()
      .map((row) => [row.number, row.checksum]),
  );
  refuseNewer(applied, migrations);
  for (const migration of migrations) {
    const checksum = createHash("sha256").update(migration.sql).digest("hex");
    const before = applied.get(migration.number);
    if (before === undefined) applyOne(connection, migration, checksum);
    else if (before !== checksum) throw changedMigration(migration);
  }
}

function refuseNewer(applied: ReadonlyMap<number, string>, migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.number ?? 0;
  const newest = Math.max(0, ...applied.keys());
  if (newest <= known) return;
  throw new DomainError(
    "store.unavailable",
    `The store was written by a newer Sylk (schema ${newest}, this one knows ${known}); upgrade Sylk or choose another SYLK_HOME`,
    {
      details: { storeSchema: newest, programSchema: known },
    },
  );
}

function applyOne(connection: Database, { number, name, sql }: Migration, checksum: string): void {
  connection.transaction(() => {
    connection.exec(sql);
    connection.prepare("INSERT INTO migrations (number, name, checksum) VALUES (?, ?, ?)").run(number, name, checksum);
  })();
}

function changedMigration({ number, name }: Migration): DomainError {
  return new DomainError(
    "store.unavailable",
    `Migration ${number} (${name}) is not the one this store was made with; use the Sylk version that wrote it`,
    {
      details: { migration: number },
    },
  );
}
