/**
 * Puts a backup in the place of a home's store. The caller holds the home's lock: no daemon runs.
 *
 *   look at the backup -> copy it beside the store -> keep the store there is -> one rename
 *
 * Killed at any point, the home has the store from before or the restored one, whole; what was replaced is in the
 * folder of backups before anything is replaced.
 */
import { chmodSync, copyFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";
import type { Clock } from "../clock/index.ts";
import { backupFolderOf, freshBackupFile } from "./backup-folder.ts";
import { copyStore, synced } from "./copy-store.ts";
import { inspectBackup, inspectStore, type StoreFacts } from "./inspect-store.ts";
import type { Migration } from "./migrate.ts";

type Terms = {
  readonly store: string;
  readonly backup: string;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
};
/** Where the store from before is now, and whether it could be restored in turn; undefined when there was none. */
type Kept = { readonly file: string; readonly sound: boolean };
export type Replaced = StoreFacts & { readonly kept: Kept | undefined };

export function replaceStore({ store, backup, migrations, clock }: Terms): Replaced {
  const facts = inspectBackup(backup, migrations);
  const incoming = `${store}.incoming`;
  rmSync(incoming, { force: true });
  try {
    copyStore(backup, incoming);
    const kept = keepStore(store, migrations, clock);
    renameSync(incoming, store);
    synced(dirname(store));
    return { ...facts, kept };
  } finally {
    rmSync(incoming, { force: true });
  }
}

/** A sound store as one file; one that is damaged as it is, with its log, so that something may still be read from it. */
function keepStore(store: string, migrations: readonly Migration[], clock: Clock): Kept | undefined {
  const parts = ["", "-wal"].filter((part) => (statSync(`${store}${part}`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (parts.length === 0) return undefined;
  const file = freshBackupFile(backupFolderOf(store), "replaced", clock);
  const state = stateOf(store, migrations);
  if (state !== "damaged") {
    copyStore(store, file);
    emptyLog(store);
    return { file, sound: state === "sound" };
  }
  for (const part of parts) keepAsItIs(`${store}${part}`, `${file}${part}`);
  synced(dirname(file));
  // A log that is left would be taken for one of the restored store.
  for (const part of ["-wal", "-shm"]) rmSync(`${store}${part}`, { force: true });
  return { file, sound: false };
}

function keepAsItIs(from: string, to: string): void {
  if (statSync(from).isDirectory()) return renameSync(from, to);
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  synced(to);
}

/** One of another version is whole too, but not for this program to restore. */
function stateOf(store: string, migrations: readonly Migration[]): "sound" | "foreign" | "damaged" {
  try {
    inspectStore(store, migrations);
    return "sound";
  } catch (error) {
    return error instanceof DomainError && error.code === "store.newer" ? "foreign" : "damaged";
  }
}

/** So that the store is whole without its log until the very rename; the last connection to close removes the log. */
function emptyLog(store: string): void {
  const connection = new Database(store);
  try {
    connection.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    connection.close();
  }
}
