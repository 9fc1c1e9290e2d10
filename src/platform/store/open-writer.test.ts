/** A store at the door: upgraded after a backup, or refused with the way out and left as it is. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { version } from "../version.ts";
import { backupFolderOf, listBackups } from "./backup-folder.ts";
import type { Migration } from "./migrate.ts";
import { openWriter, type UpgradeStep } from "./open-writer.ts";
import { scratchFolder, type ScratchFolder } from "./testkit.ts";

const first: Migration = { number: 1, name: "first", sql: "CREATE TABLE notes (text TEXT) STRICT" };
const second: Migration = { number: 2, name: "second", sql: "ALTER TABLE notes ADD COLUMN at INTEGER" };
const broken: Migration = { number: 3, name: "broken", sql: "INSERT INTO missing VALUES (1)" };

const fileIn = ({ path }: ScratchFolder): string => join(path, "sylk.db");
const backupsIn = (folder: ScratchFolder) => listBackups(backupFolderOf(fileIn(folder)));

function fill(folder: ScratchFolder, notes: readonly string[]): void {
  const connection = openWriter(fileIn(folder), [first]);
  for (const note of notes) connection.prepare("INSERT INTO notes (text) VALUES (?)").run(note);
  connection.close();
}

function notesIn(file: string): readonly unknown[] {
  const connection = new Database(file, { readonly: true });
  try {
    return connection.prepare("SELECT text FROM notes").pluck().all();
  } finally {
    connection.close();
  }
}

it("makes no backup for a new store, nor for one that is up to date", () => {
  using folder = scratchFolder();
  fill(folder, ["a"]);
  openWriter(fileIn(folder), [first]).close();
  expect(readdirSync(folder.path)).toEqual(["sylk.db"]);
});

it("copies a store with content, whole and for the user alone, before it migrates it [CORE-13]", () => {
  using folder = scratchFolder();
  fill(folder, ["a", "b"]);
  const clock = manualClock({ wall: Date.UTC(2026, 10, 15, 22, 40, 46, 123) });
  const steps: UpgradeStep[] = [];
  const seen: number[] = [];
  const connection = openWriter(fileIn(folder), [first, second], {
    clock,
    onUpgrade(step) {
      steps.push(step);
      seen.push(backupsIn(folder).length);
    },
  });
  connection.close();
  expect([steps, seen]).toEqual([
    ["backing-up", "backed-up", "committing", "migrated"],
    [0, 1, 1, 1],
  ]);
  const [backup, ...others] = backupsIn(folder);
  expect(others).toEqual([]);
  expect(backup).toMatchObject({ at: clock.now(), version, reason: "upgrade" });
  expect(basename(backup!.file)).toBe(`20261115T224046123Z-${version}-upgrade.db`);
  expect(statSync(backup!.file).mode & 0o777).toBe(0o600);
  expect(statSync(backupFolderOf(fileIn(folder))).mode & 0o777).toBe(0o700);
  expect(notesIn(backup!.file)).toEqual(["a", "b"]);
  const columns = new Database(backup!.file, { readonly: true }).pragma("table_info(notes)") as unknown[];
  expect(columns, "as it was before the migration").toHaveLength(1);
});

it("keeps the newest five of the backups it makes by itself, and every other one [CORE-13]", () => {
  using folder = scratchFolder();
  fill(folder, ["a"]);
  const clock = manualClock();
  const asked = join(backupFolderOf(fileIn(folder)), "20200101T000000000Z-0.0.1-asked.db");
  mkdirSync(backupFolderOf(fileIn(folder)));
  copyFileSync(fileIn(folder), asked);
  writeFileSync(`${asked}.partial`, "of a process that was killed");
  const made: string[] = [];
  for (let round = 2; round < 10; round++) {
    clock.advance(1_000);
    const migrations = [first, ...Array.from({ length: round - 1 }, (_, index) => trace(index + 2))];
    openWriter(fileIn(folder), migrations, { clock }).close();
    made.push(backupsIn(folder)[0]!.file);
  }
  expect(backupsIn(folder).map(({ file }) => file)).toEqual([...made.slice(-5).reverse(), asked]);
  expect(readdirSync(backupFolderOf(fileIn(folder))).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

function trace(number: number): Migration {
  return { number, name: `step ${number}`, sql: `CREATE TABLE step_${number} (x TEXT) STRICT` };
}

it("does not begin to migrate when the backup cannot be made, and says why [CORE-13]", () => {
  using folder = scratchFolder();
  fill(folder, ["a"]);
  writeFileSync(backupFolderOf(fileIn(folder)), "a file where the folder should be");
  expect(() => openWriter(fileIn(folder), [first, second])).toThrow(
    expect.objectContaining({
      code: "store.unavailable",
      message: expect.stringMatching(/was not upgraded.*ENOTDIR.*nothing was changed/),
      cause: expect.any(Error),
    }),
  );
  expect(notesIn(fileIn(folder))).toEqual(["a"]);
  openWriter(fileIn(folder), [first]).close();
});

it("leaves the store as before when a migration fails, and says where the backup is [CORE-13]", () => {
  using folder = scratchFolder();
  fill(folder, ["a"]);
  const failed = expectRefusal(() => openWriter(fileIn(folder), [first, second, broken]));
  const [backup] = backupsIn(folder);
  expect(failed).toMatchObject({ code: "store.unavailable", details: { backup: backup!.file } });
  expect(failed.message).toContain(backup!.file);
  openWriter(fileIn(folder), [first]).close();
  expect(notesIn(fileIn(folder))).toEqual(["a"]);
  expect(notesIn(backup!.file)).toEqual(["a"]);
});

const damages: Readonly<Record<string, (file: string) => void>> = {
  "random bytes": (file) =>
    writeFileSync(file, Buffer.from(Array.from({ length: 9_000 }, (_, at) => (at * 131) % 251))),
  "a file that was cut": (file) => truncateSync(file, 8_192),
  "a file that was cut inside a page": (file) => truncateSync(file, 10_000),
  "a flipped header": (file) => flip(file, 3),
  "a flipped page size": (file) => flip(file, 16),
  "a flipped root page": (file) => flip(file, 100),
  "a folder": (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  "no bytes, but a log": (file) => {
    truncateSync(file, 0);
    writeFileSync(`${file}-wal`, "not empty");
  },
  "no file, but a log": (file) => {
    rmSync(file);
    writeFileSync(`${file}-wal`, "not empty");
  },
};

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 0xff;
  writeFileSync(file, bytes);
}

it.each(Object.keys(damages))("refuses %s, names the newest backup, and changes no byte [CORE-13]", (damage) => {
  using folder = scratchFolder();
  fill(folder, ["x".repeat(20_000)]);
  openWriter(fileIn(folder), [first, second]).close();
  damages[damage]!(fileIn(folder));
  const before = folder.content();
  const refused = expectRefusal(() => openWriter(fileIn(folder), [first, second]));
  const [backup] = backupsIn(folder);
  expect(refused).toMatchObject({ code: "store.damaged", details: { backup: backup!.file } });
  expect(refused.message).toContain(`sylk restore ${backup!.file}`);
  expect(refused.message).toContain("sylk doctor");
  expect(folder.content() === before, "the same bytes").toBe(true);
});

it("names the way out also where there is no backup", () => {
  using folder = scratchFolder();
  writeFileSync(fileIn(folder), "no store at all, however long one looks at it");
  expect(expectRefusal(() => openWriter(fileIn(folder), [first])).message).toMatch(/no backup.*sylk restore <file>/);
});

it("reads a log that was torn up to its last whole change, and continues from there [CORE-13]", () => {
  using folder = scratchFolder();
  const live = openWriter(fileIn(folder), [first]);
  for (const note of ["a", "b", "c"]) live.prepare("INSERT INTO notes (text) VALUES (?)").run(note);
  const torn = join(folder.path, "torn.db");
  copyFileSync(fileIn(folder), torn);
  copyFileSync(`${fileIn(folder)}-wal`, `${torn}-wal`);
  live.close();
  truncateSync(`${torn}-wal`, statSync(`${torn}-wal`).size - 2_000);
  appendFileSync(`${torn}-wal`, "x".repeat(500));
  const connection = openWriter(torn, [first]);
  expect(connection.prepare("SELECT text FROM notes").pluck().all()).toEqual(["a", "b"]);
  expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
  connection.prepare("INSERT INTO notes (text) VALUES (?)").run("d");
  connection.close();
  expect(notesIn(torn)).toEqual(["a", "b", "d"]);
});

it("overwrites what is removed: nothing of it is left in the file [CORE-13]", () => {
  using folder = scratchFolder();
  fill(folder, ["keep", ...Array.from({ length: 50 }, (_, at) => `secret-${at}-${"x".repeat(300)}`)]);
  expect(folder.content()).toContain("secret-7-");
  const connection = openWriter(fileIn(folder), [first]);
  connection.exec("DELETE FROM notes WHERE text LIKE 'secret%'");
  connection.close();
  expect(folder.content()).not.toContain("secret-");
  expect(notesIn(fileIn(folder))).toEqual(["keep"]);
});

type Refusal = Error & { readonly code: string; readonly details: Readonly<Record<string, unknown>> };

function expectRefusal(open: () => Database.Database): Refusal {
  try {
    open().close();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error("it was not refused");
}
