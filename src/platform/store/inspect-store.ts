/** Looks at a store's file without changing it: is it whole, and does this program know what is in it? */
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";
import { appliedMigrations, pendingMigrations, type Migration } from "./migrate.ts";
import { storeDamaged } from "./store-damaged.ts";
import { asStoreError, isDamage } from "./store-unavailable.ts";

export type StoreFacts = {
  readonly bytes: number;
  readonly schema: number;
  /** Migrations that the next start will run. */
  readonly pending: number;
};

/** Throws `store.damaged`, `store.newer` or `store.unavailable`. */
export function inspectStore(file: string, migrations: readonly Migration[]): StoreFacts {
  const bytes = sizeOf(file);
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    const found = connection.pragma("quick_check(1)", { simple: true });
    if (found !== "ok") throw storeDamaged(file, String(found));
    const schema = Math.max(0, ...appliedMigrations(connection).keys());
    if (schema === 0) throw storeDamaged(file, "it has none of Sylk's tables");
    return { bytes, schema, pending: pendingMigrations(connection, migrations).length };
  } catch (error) {
    throw isDamage(error) ? storeDamaged(file, error.message, error) : asStoreError(error);
  } finally {
    connection?.close();
  }
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw storeDamaged(file, "it is missing");
  if (found.isDirectory()) throw storeDamaged(file, "it is a folder");
  if (found.size === 0) throw storeDamaged(file, "it is empty");
  return found.size;
}

/** The same for a file that is to be restored: whatever is wrong with it, the store in use is not. */
export function inspectBackup(file: string, migrations: readonly Migration[]): StoreFacts {
  try {
    return inspectStore(file, migrations);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { reason = error.message } = error.details as { readonly reason?: string };
    throw new DomainError(
      "backup.invalid",
      error.code === "store.newer"
        ? `${file} was written by another Sylk than this one; restore it with the version that made it. Nothing was changed`
        : `${file} cannot be restored (${reason}); nothing was changed. "sylk doctor" names the backups there are`,
      { details: { file, reason }, cause: error },
    );
  }
}
