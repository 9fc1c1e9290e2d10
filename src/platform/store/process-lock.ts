/**
 * A lock that the kernel frees when its process ends, however it ends. It is SQLite's own file lock on a file that holds
 * nothing else: portable, and already part of the product.
 */
import Database from "better-sqlite3";
import { identityOf } from "../file-identity.ts";
import { keepPrivate } from "./keep-private.ts";

export type ProcessLock = {
  release(): void;
  /** False once its file was removed or replaced: another process may have locked the file that is there now. */
  isHeld(): boolean;
};

/** Undefined when another live process holds it. */
export function takeProcessLock(file: string): ProcessLock | undefined {
  keepPrivate(file); // a user who may read it could hold it
  const before = identityOf(file);
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    const locked = identityOf(file);
    // Replaced in between: the file that was opened may not be the one that is there.
    if (before !== undefined && before !== locked) {
      connection.close();
      return takeProcessLock(file);
    }
    return { release: () => connection.close(), isHeld: () => identityOf(file) === locked };
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}
