/** A backup in the place of the store: all of it or nothing, and what was there is kept. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { backupFolderOf } from "./backup-folder.ts";
import { copyStore } from "./copy-store.ts";
import { inspectStore } from "./inspect-store.ts";
import type { Migration } from "./migrate.ts";
import { openWriter } from "./open-writer.ts";
import { replaceStore } from "./replace-store.ts";
import { scratchFolder, type ScratchFolder } from "./testkit.ts";

const migrations: readonly Migration[] = [
  { number: 1, name: "first", sql: "CREATE TABLE notes (text TEXT) STRICT" },
  { number: 2, name: "second", sql: "CREATE TABLE more (text TEXT) STRICT" },
];

function places({ path }: ScratchFolder) {
  const store = join(path, "sylk.db");
  return { store, backup: join(path, "backup.db"), migrations, clock: manualClock() };
}

function write(file: string, notes: readonly string[], known = migrations): void {
  const connection = openWriter(file, known);
  for (const note of notes) connection.prepare("INSERT INTO notes (text) VALUES (?)").run(note);
  connection.close();
}

function notesIn(file: string): readonly unknown[] {
  const connection = openWriter(file, migrations);
  try {
    return connection.prepare("SELECT text FROM notes").pluck().all();
  } finally {
    connection.close();
  }
}

it("brings back what was there at the backup, and keeps what it replaces [CORE-13]", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.store, ["a"]);
  copyStore(terms.store, terms.backup);
  write(terms.store, ["b"]);
  const { kept, schema, pending } = replaceStore(terms);
  expect([schema, pending]).toEqual([2, 0]);
  expect(notesIn(terms.store)).toEqual(["a"]);
  expect(kept).toEqual({ file: expect.stringMatching(/backups\/.+-replaced\.db$/), sound: true });
  expect(statSync(kept!.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path).sort()).toEqual(["backup.db", "backups", "sylk.db"]);

  replaceStore({ ...terms, backup: kept!.file });
  expect(notesIn(terms.store), "undone").toEqual(["a", "b"]);
});

it("keeps the changes that are still in the log of a killed daemon, and lets none of them into the restored store [CORE-13]", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.store, ["a"]);
  copyStore(terms.store, terms.backup);
  const live = openWriter(terms.store, migrations);
  for (let note = 0; note < 50; note++) live.prepare("INSERT INTO notes (text) VALUES (?)").run(`in the log ${note}`);
  const [main, log] = [readFileSync(terms.store), readFileSync(`${terms.store}-wal`)];
  live.close();
  writeFileSync(terms.store, main);
  writeFileSync(`${terms.store}-wal`, log);

  const { kept } = replaceStore(terms);
  expect(notesIn(terms.store)).toEqual(["a"]);
  expect(notesIn(kept!.file)).toHaveLength(51);
});

it("restores over a store that is damaged, and keeps that one byte for byte with its log [CORE-13]", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.store, ["a"]);
  copyStore(terms.store, terms.backup);
  const live = openWriter(terms.store, migrations);
  live.prepare("INSERT INTO notes (text) VALUES ('in the log')").run();
  const log = readFileSync(`${terms.store}-wal`);
  live.close();
  writeFileSync(terms.store, "no store any more");
  writeFileSync(`${terms.store}-wal`, log);
  const { kept } = replaceStore(terms);
  expect(kept!.sound).toBe(false);
  expect(readFileSync(kept!.file, "utf8")).toBe("no store any more");
  expect(readFileSync(`${kept!.file}-wal`).equals(log)).toBe(true);
  expect(notesIn(terms.store)).toEqual(["a"]);
});

it("keeps a store of a newer Sylk whole, as one file [CORE-13]", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.backup, ["a"]);
  write(terms.store, ["newer"], [...migrations, { number: 3, name: "third", sql: "CREATE TABLE third (x TEXT)" }]);
  const { kept } = replaceStore(terms);
  expect(notesIn(terms.store)).toEqual(["a"]);
  expect(kept!.sound, "not for this version to restore").toBe(false);
  const newer = new Database(kept!.file, { readonly: true });
  expect(newer.prepare("SELECT text FROM notes").pluck().all()).toEqual(["newer"]);
  newer.close();
});

it.each(["nothing", "a folder"])("restores where the store was lost and there is %s in its place", (what) => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.store, ["a"]);
  copyStore(terms.store, terms.backup);
  rmSync(terms.store);
  if (what === "a folder") {
    mkdirSync(terms.store);
    writeFileSync(join(terms.store, "mine"), "kept");
  }
  const { kept } = replaceStore(terms);
  expect(notesIn(terms.store)).toEqual(["a"]);
  if (what === "a folder") expect(readFileSync(join(kept!.file, "mine"), "utf8")).toBe("kept");
  else expect(kept).toBeUndefined();
});

it("restores an older store, which the next start migrates [CORE-13]", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.backup, ["old"], migrations.slice(0, 1));
  write(terms.store, ["new"]);
  expect(replaceStore(terms)).toMatchObject({ schema: 1, pending: 1 });
  expect(notesIn(terms.store)).toEqual(["old"]);
  expect(readdirSync(backupFolderOf(terms.store)).filter((name) => name.endsWith("-upgrade.db"))).toHaveLength(1);
});

const unusable: Readonly<Record<string, (file: string) => void>> = {
  "is missing": (file) => rmSync(file),
  "is empty": (file) => truncateSync(file, 0),
  "was cut": (file) => truncateSync(file, 5_000),
  "is text": (file) => writeFileSync(file, "a letter"),
  "is a folder": (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  "has a page that was overwritten": (file) => {
    const bytes = readFileSync(file);
    bytes.fill(7, 4_096, 8_192);
    writeFileSync(file, bytes);
  },
  "has a page at its end that was overwritten": (file) => {
    write(file, ["x".repeat(3_000), "y".repeat(3_000), "z".repeat(3_000)]);
    const bytes = readFileSync(file);
    bytes.fill(0, bytes.length - 4_096);
    writeFileSync(file, bytes);
  },
  "is a database of something else": (file) => {
    rmSync(file);
    openWriter(file, []).exec("CREATE TABLE other (x TEXT)");
  },
  "is of a newer Sylk": (file) => {
    openWriter(file, [...migrations, { number: 3, name: "third", sql: "CREATE TABLE third (x TEXT)" }]).close();
  },
};

it.each(Object.keys(unusable))("refuses a backup that %s, and touches nothing [CORE-13]", (how) => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.backup, ["a"]);
  write(terms.store, ["b"]);
  unusable[how]!(terms.backup);
  const before = readFileSync(terms.store);
  expect(() => replaceStore(terms)).toThrow(
    expect.objectContaining({ code: "backup.invalid", message: expect.stringMatching(/[Nn]othing was changed/) }),
  );
  expect(readFileSync(terms.store).equals(before)).toBe(true);
  const left = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => /incoming|replaced/.test(name))).toEqual([]);
  expect(inspectStore(terms.store, migrations)).toMatchObject({ schema: 2, pending: 0 });
});

it("replaces no file that is there with a backup", () => {
  using folder = scratchFolder();
  const terms = places(folder);
  write(terms.store, ["a"]);
  writeFileSync(terms.backup, "somebody's own");
  expect(() => copyStore(terms.store, terms.backup)).toThrow(expect.objectContaining({ code: "file.exists" }));
  expect(readFileSync(terms.backup, "utf8")).toBe("somebody's own");
});
