/**
 * Acts on a home's store while no daemon runs: each under the lock that a daemon would hold, so that none starts
 * in the middle of it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { systemClock, type Clock } from "../clock/index.ts";
import { backupFolderOf, freshBackupFile, listBackups, type Backup } from "./backup-folder.ts";
import { copyStore, type StoreCopy } from "./copy-store.ts";
import { inspectBackup, inspectStore, type StoreFacts } from "./inspect-store.ts";
import { takeProcessLock } from "./process-lock.ts";
import { readMigrations } from "./read-migrations.ts";
import { replaceStore, type Replaced } from "./replace-store.ts";

type Home = { readonly database: string; readonly lock: string };
/** Undefined when the lock is held: a daemon runs, or is about to. */
export type StoppedStore = {
  backup(home: Home, file: string | undefined): (StoreCopy & { readonly at: number }) | undefined;
  restore(home: Home, file: string): Replaced | undefined;
  /** Both read only, and throw what is wrong. */
  inspect(home: Pick<Home, "database">): StoreFacts;
  inspectBackup(file: string): StoreFacts;
  backups(home: Pick<Home, "database">): readonly Backup[];
  /** For a daemon, in a process of its own. */
  copy(from: string, to: string): StoreCopy;
};

export function stoppedStore(clock: Clock = systemClock()): StoppedStore {
  const migrations = readMigrations();
  return {
    backup: ({ database, lock }, file) =>
      underLock(lock, () => {
        if (!existsSync(database))
          throw new DomainError("store.unavailable", `There is no store at ${database} yet, so nothing to copy`, {
            details: { reason: "no store yet" },
          });
        const at = clock.now();
        return { ...copyStore(database, file ?? freshBackupFile(backupFolderOf(database), "asked", clock)), at };
      }),
    restore: ({ database, lock }, file) =>
      underLock(lock, () => {
        const replaced = replaceStore({ store: database, backup: file, migrations, clock });
        setAside(auditHead(database), replaced.kept?.file);
        const note: RestoreNote = { at: clock.now(), from: file, kept: replaced.kept?.file ?? null };
        writeFileSync(restoreNote(database), `${JSON.stringify(note)}\n`, { mode: 0o600 });
        return replaced;
      }),
    inspect: ({ database }) => inspectStore(database, migrations),
    inspectBackup: (file) => inspectBackup(file, migrations),
    backups: ({ database }) => listBackups(backupFolderOf(database)),
    copy: copyStore,
  };
}

function underLock<T>(file: string, work: () => T): T | undefined {
  const lock = takeProcessLock(file);
  if (lock === undefined) return undefined;
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** The end of the replaced store's audit: beside a restored store it would look as if rows had been removed. */
function auditHead(database: string): string {
  return join(dirname(database), "audit-head");
}

function setAside(file: string, kept: string | undefined): void {
  if (!existsSync(file)) return;
  if (kept === undefined) rmSync(file);
  else renameSync(file, `${kept}.${basename(file)}`);
}

/** Left for the next daemon, which enters the restore into the restored store's audit. */
export type RestoreNote = { readonly at: number; readonly from: string; readonly kept: string | null };

function restoreNote(database: string): string {
  return join(dirname(database), "restored.json");
}

export function readRestoreNote(database: string): RestoreNote | undefined {
  try {
    return JSON.parse(readFileSync(restoreNote(database), "utf8")) as RestoreNote;
  } catch {
    return undefined; // absent, or torn with the restore that wrote it: it was whole before it mattered
  }
}

export function removeRestoreNote(database: string): void {
  rmSync(restoreNote(database), { force: true });
}
