/**
 * A whole, checked copy of a store as one file, also while a daemon writes to it.
 *
 *   VACUUM INTO beside the target (0600) -> quick_check -> fsync -> rename -> fsync of the folder
 *
 * The copy is what one reader sees at one instant, without pages of deleted rows; writers are not held up. A caller that
 * finds a file under its final name finds a whole copy. It takes its time and does not yield: a daemon runs it in a
 * process of its own.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { asFileTrouble, refuseExisting } from "../target-file.ts";
import { asStoreError } from "./store-unavailable.ts";

export type StoreCopy = { readonly file: string; readonly bytes: number };

/** Of a store's file, which is only read. */
export function copyStore(from: string, to: string): StoreCopy {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
    return copyConnection(connection, to);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    connection?.close();
  }
}

export function copyConnection(connection: Database.Database, to: string): StoreCopy {
  refuseExisting(to);
  const partial = `${to}.partial`;
  try {
    rmSync(partial, { force: true });
    closeSync(openSync(partial, "wx", 0o600));
    connection.prepare("VACUUM INTO ?").run(partial);
    refuseUnsound(partial);
    synced(partial);
    renameSync(partial, to);
    synced(dirname(to));
    return { file: to, bytes: statSync(to).size };
  } catch (error) {
    removeQuietly(partial);
    throw asFileTrouble(error, to);
  }
}

/** The failure that made it useless is the one to tell. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // left behind; a name that ends in .partial is not a backup
  }
}

/** Reads the written file again: a backup that cannot be read is not a backup. */
function refuseUnsound(file: string): void {
  const connection = new Database(file, { readonly: true });
  try {
    const found = connection.pragma("quick_check(1)", { simple: true });
    if (found !== "ok") throw new Error(`the copy is not sound: ${String(found)}`);
  } finally {
    connection.close();
  }
}

/** Of a file or a folder: what it holds is on the disk. */
export function synced(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
