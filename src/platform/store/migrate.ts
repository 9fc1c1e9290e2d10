/**
 * Migrations: numbered SQL files of all folders, run forward once; all that are pending in one transaction.
 *
 *   what the store has run -> refuse what this program does not know -> what is pending -> run, all or none
 *
 * A store that is newer than this program is refused: an old program must not guess at new tables. After a failure the
 * store is as it was, so that the program before this one can still use it.
 */
import { createHash } from "node:crypto";
import type { Database } from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";

export type Migration = { readonly number: number; readonly name: string; readonly sql: string };
export type MigrationHooks = {
  /** Before the first of those that are pending, and only if some are; what it throws leaves the store as it is. */
  readonly before?: (pending: readonly Migration[]) => void;
  /** Inside the transaction, when all of it is done but the commit. */
  readonly committing?: () => void;
};

export function migrate(
  connection: Database,
  migrations: readonly Migration[],
  { before, committing }: MigrationHooks = {},
): void {
  const pending = pendingMigrations(connection, migrations);
  if (pending.length === 0) return;
  before?.(pending);
  connection.transaction(() => {
    connection.exec(
      "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT",
    );
    for (const migration of pending) applyOne(connection, migration);
    committing?.();
  })();
}

/** The migrations that are still to be run. Reads only; refuses a store that another program's migrations have made. */
export function pendingMigrations(connection: Database, migrations: readonly Migration[]): readonly Migration[] {
  const applied = appliedMigrations(connection);
  refuseNewer(applied, migrations);
  const changed = migrations.find(
    (migration) => (applied.get(migration.number) ?? checksumOf(migration)) !== checksumOf(migration),
  );
  if (changed !== undefined) throw changedMigration(changed);
  return migrations.filter(({ number }) => !applied.has(number));
}

/** Checksums by number; empty for a store that has never been migrated. */
export function appliedMigrations(connection: Database): ReadonlyMap<number, string> {
  const known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  if (known === undefined) return new Map();
  const rows = connection.prepare<[], { number: number; checksum: string }>("SELECT number, checksum FROM migrations");
  return new Map(rows.all().map((row) => [row.number, row.checksum]));
}

function checksumOf({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}

function refuseNewer(applied: ReadonlyMap<number, string>, migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.number ?? 0;
  const newest = Math.max(0, ...applied.keys());
  if (newest <= known) return;
  throw new DomainError(
    "store.newer",
    `The store was written by a newer Sylk (schema ${newest}, this one knows ${known}) and was not touched; upgrade Sylk, "sylk restore" a backup made before that upgrade, or choose another SYLK_HOME`,
    { details: { storeSchema: newest, programSchema: known } },
  );
}

function applyOne(connection: Database, migration: Migration): void {
  const { number, name, sql } = migration;
  connection.exec(sql);
  connection
    .prepare("INSERT INTO migrations (number, name, checksum) VALUES (?, ?, ?)")
    .run(number, name, checksumOf(migration));
}

function changedMigration({ number, name }: Migration): DomainError {
  return new DomainError(
    "store.newer",
    `Migration ${number} (${name}) is not the one this store was made with, and the store was not touched; use the Sylk version that wrote it, or "sylk restore" a backup of this version`,
    { details: { migration: number } },
  );
}
