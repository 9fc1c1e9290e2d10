/** kill -9 in an upgrade: whatever the point, the store is as before or migrated, and the next start goes on. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { listBackups } from "../../src/platform/store/backup-folder.ts";
import { backupFolderOf, openSqliteStore } from "../../src/platform/store/index.ts";
import { inspectStore } from "../../src/platform/store/inspect-store.ts";
import { scratchFolder } from "../../src/platform/store/testkit.ts";
import { known, next, points } from "./upgrade-child.ts";

const child = join(import.meta.dirname, "upgrade-child.ts");
const notes = Array.from({ length: 2_000 }, (_, at) => `note ${at} ${"x".repeat(100)}`);
const migrated = notes.map((note) => `${note} migrated`);

/** What holds of the store once the process is gone, by the point of its death. */
const after: Readonly<
  Record<(typeof points)[number], { readonly backups: number; readonly notes: readonly string[] }>
> = {
  "backing-up": { backups: 0, notes },
  "backed-up": { backups: 1, notes },
  committing: { backups: 1, notes },
  migrated: { backups: 1, notes: migrated },
};

it.each(points)(
  "at %s leaves a whole store and a whole backup, and the next start ends the upgrade [CORE-13]",
  (point) => {
    using folder = scratchFolder();
    const file = join(folder.path, "sylk.db");
    fill(file);
    expect(upgradeUntil(file, point)).toBe("SIGKILL");

    expect(notesIn(file)).toEqual(after[point].notes);
    const backups = listBackups(backupFolderOf(file));
    expect(backups).toHaveLength(after[point].backups);
    for (const backup of backups) expect(notesIn(backup.file)).toEqual(notes);

    expect(upgradeUntil(file, "never")).toBeNull();
    expect(notesIn(file)).toEqual(migrated);
    expect(inspectStore(file, [...known, next])).toMatchObject({ schema: 2, pending: 0 });
  },
);

it("in the middle of the backup leaves the store as it was, and the torn copy is none of the backups [CORE-13]", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "sylk.db");
  fill(file);
  const torn = join(backupFolderOf(file), "20260101T000000000Z-0.1.0-upgrade.db.partial");
  mkdirSync(backupFolderOf(file));
  // What VACUUM INTO has written when it is killed half way.
  new Database(torn).exec("CREATE TABLE notes (text TEXT)").close();
  expect(statSync(torn).size).toBeGreaterThan(0);
  expect(listBackups(backupFolderOf(file))).toEqual([]);
  expect(upgradeUntil(file, "never")).toBeNull();
  expect(notesIn(file)).toEqual(migrated);
  expect(readdirSync(backupFolderOf(file)).filter((name) => name.includes("partial"))).toEqual([]);
});

function fill(file: string): void {
  openSqliteStore({ file, migrations: known, repositories: {} }).close();
  const connection = new Database(file);
  const insert = connection.prepare("INSERT INTO notes (text) VALUES (?)");
  connection.transaction(() => notes.forEach((note) => insert.run(note)))();
  connection.close();
}

function upgradeUntil(file: string, point: string): NodeJS.Signals | null {
  const { signal, status, stderr } = spawnSync(process.execPath, [child, file, point], { encoding: "utf8" });
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal;
}

function notesIn(file: string): readonly unknown[] {
  const connection = new Database(file);
  try {
    return connection.prepare("SELECT text FROM notes ORDER BY rowid").pluck().all();
  } finally {
    connection.close();
  }
}
