/**
 * The backups of a home: one file each, named by time, version and reason, so that a listing of the folder reads as a
 * history and the newest is found without opening any.
 *
 *   backups/20261115T224046123Z-0.1.0-upgrade.db
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../clock/index.ts";
import { version } from "../version.ts";

/** Asked for by the user, made before migrations, or what a restore has replaced. */
export type BackupReason = "asked" | "upgrade" | "replaced";
export type Backup = {
  readonly file: string;
  readonly at: number;
  readonly version: string;
  readonly reason: BackupReason;
  readonly bytes: number;
};

/** How many of those that were made before migrations stay; the others are the user's to remove. */
const keptUpgrades = 5;
const namePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(.+)-(asked|upgrade|replaced)\.db$/;

export function backupFolderOf(database: string): string {
  return join(dirname(database), "backups");
}

/** Newest first. */
export function listBackups(folder: string): readonly Backup[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => describe(folder, name) ?? []);
  return found.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1));
}

function describe(folder: string, name: string): Backup | undefined {
  const [, year, month, day, hour, minute, second, ms, version, reason] = namePattern.exec(name) ?? [];
  if (version === undefined) return undefined;
  const file = join(folder, name);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { file, at, version, reason: reason as BackupReason, bytes: statSync(file).size };
}

/** A name that is not taken yet, in a folder that is there. */
export function freshBackupFile(folder: string, reason: BackupReason, clock: Clock): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let at = clock.now(); ; at++) {
    const time = new Date(at).toISOString().replaceAll(/[-:.]/g, "");
    const file = join(folder, `${time}-${version}-${reason}.db`);
    if (!existsSync(file)) return file;
  }
}

/** The caller holds the home's lock: no process continues a copy that is not whole. */
export function removeStaleBackups(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.endsWith(".partial")) rmSync(join(folder, name), { force: true });
  const upgrades = listBackups(folder).filter(({ reason }) => reason === "upgrade");
  for (const { file } of upgrades.slice(keptUpgrades)) rmSync(file, { force: true });
}
