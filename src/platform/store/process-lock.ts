/**
 * A lock that the kernel frees when its process ends, however it ends. It is SQLite's own file lock on a file that holds
 * nothing else: portable, and already part of the product.
 */
import Database from "better-sqlite3";
import { keepPrivate } from "./keep-private.ts";

export type ProcessLock = { release(): void };

/** Undefined when another live process holds it. */
export function takeProcessLock(file: string): ProcessLock | undefined {
  keepPrivate(file); // a user who may read it could hold it
  const connection = new Database(file, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}
