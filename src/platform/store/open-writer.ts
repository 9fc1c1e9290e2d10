/**
 * Opening a home's store for its one writer.
 *
 *   look at the files -> open -> what is pending? -> backup -> migrate -> ready
 *
 * Nothing is changed before the files are known to be a store of this program, and no migration begins before the backup
 * is whole: whatever ends the process in between leaves the store as it was, or migrated, and the backup beside it.
 */
import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { DomainError, messageOf } from "../../contract/errors.ts";
import { systemClock, type Clock } from "../clock/index.ts";
import { backupFolderOf, freshBackupFile, removeStaleBackups } from "./backup-folder.ts";
import { copyConnection } from "./copy-store.ts";
import { keepPrivate } from "./keep-private.ts";
import { appliedMigrations, migrate, type Migration } from "./migrate.ts";
import { storeDamaged } from "./store-damaged.ts";
import { asStoreError, isDamage } from "./store-unavailable.ts";

export const busyTimeoutMs = 5_000;

export type UpgradeStep = "backing-up" | "backed-up" | "committing" | "migrated";
export type UpgradeTerms = {
  readonly clock?: Clock;
  /** False for a store that is thrown away: nothing waits for the disk. At checkpoints: power loss may take the last changes. */
  readonly durable?: boolean | "at-checkpoints";
  /** Told at each step of an upgrade, for the log: from which schema to which, and where the backup is. */
  readonly onUpgrade?: (step: UpgradeStep, facts: UpgradeFacts) => void;
};
type UpgradeFacts = { readonly from: number; readonly to: number; readonly backup?: string };

/** WAL and FULL: an acknowledged change survives kill -9 and, where the disk tells the truth, power loss. */
export function openWriter(
  file: string,
  migrations: readonly Migration[],
  { clock = systemClock(), onUpgrade = () => {}, durable = true }: UpgradeTerms = {},
): Database.Database {
  refuseLostFile(file);
  let connection: Database.Database | undefined;
  try {
    keepPrivate(file);
    connection = new Database(file);
    connection.pragma("journal_mode = WAL");
    connection.pragma(`synchronous = ${durable === "at-checkpoints" ? "NORMAL" : durable ? "FULL" : "OFF"}`);
    connection.pragma("foreign_keys = ON");
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    // What is removed is overwritten, so that a purge or a revoked token leaves nothing in free pages.
    connection.pragma("secure_delete = ON");
    upgrade(connection, file, migrations, clock, onUpgrade);
    return connection;
  } catch (error) {
    connection?.close();
    throw isDamage(error) ? storeDamaged(file, error.message, error) : asStoreError(error);
  }
}

/** SQLite would take these for a new store, and the changes in the log for another store's. */
function refuseLostFile(file: string): void {
  const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (existsSync(file) && statSync(file).isDirectory()) throw storeDamaged(file, "it is a folder");
  if (size(file) === 0 && size(`${file}-wal`) > 0)
    throw storeDamaged(file, "the file is empty or missing, but its log is not");
}

function upgrade(
  connection: Database.Database,
  file: string,
  migrations: readonly Migration[],
  clock: Clock,
  onUpgrade: NonNullable<UpgradeTerms["onUpgrade"]>,
): void {
  let backup: string | undefined;
  const from = Math.max(0, ...appliedMigrations(connection).keys());
  const hasContent = from > 0;
  const about = { from, to: migrations.at(-1)?.number ?? 0 };
  const report = (step: UpgradeStep): void => onUpgrade(step, backup === undefined ? about : { ...about, backup });
  try {
    migrate(connection, migrations, {
      before: () => {
        if (!hasContent) return;
        report("backing-up");
        backup = backUp(connection, file, clock);
        report("backed-up");
      },
      committing: () => {
        if (hasContent) report("committing");
      },
    });
  } catch (error) {
    throw backup === undefined ? error : failedUpgrade(error, backup);
  }
  if (backup !== undefined) report("migrated");
}

function backUp(connection: Database.Database, file: string, clock: Clock): string {
  const folder = backupFolderOf(file);
  try {
    removeStaleBackups(folder);
    const made = copyConnection(connection, freshBackupFile(folder, "upgrade", clock)).file;
    removeStaleBackups(folder);
    return made;
  } catch (cause) {
    if (isDamage(cause)) throw cause;
    const reason = messageOf(cause);
    throw new DomainError(
      "store.unavailable",
      `The store was not upgraded, because its backup in ${folder} could not be made (${reason}); nothing was changed. Free disk space or make the folder writable, then start again`,
      { details: { reason, folder }, cause },
    );
  }
}

function failedUpgrade(error: unknown, backup: string): DomainError {
  const cause = asStoreError(error);
  const reason = messageOf(cause);
  return new DomainError(
    "store.unavailable",
    `The upgrade of the store failed and was undone: it is as it was before (${reason}). Use the previous Sylk version and report this; ${backup} is the backup made just now`,
    { details: { reason, backup }, cause },
  );
}
