import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { migrate, type Migration } from "./migrate.ts";
import { readMigrations } from "./read-migrations.ts";
import { scratchFolder, type ScratchFolder } from "./testkit.ts";

/** Each leaves a trace of its run, so that a second run would show. */
const first: Migration = {
  number: 1,
  name: "first",
  sql: "CREATE TABLE trace (step TEXT) STRICT; INSERT INTO trace VALUES ('first')",
};
const second: Migration = { number: 2, name: "second", sql: "INSERT INTO trace VALUES ('second')" };
const third: Migration = { number: 3, name: "third", sql: "INSERT INTO trace VALUES ('third')" };

function open(folder: ScratchFolder): Database.Database & Disposable {
  const connection = new Database(join(folder.path, "sylk.db"));
  return Object.assign(connection, { [Symbol.dispose]: () => void connection.close() });
}

const traceOf = (connection: Database.Database) => connection.prepare("SELECT step FROM trace").pluck().all();
const recordedIn = (connection: Database.Database) =>
  connection.prepare("SELECT number || ' ' || name FROM migrations ORDER BY number").pluck().all();

it("runs each migration once, in order, and records it [CORE-13]", () => {
  using folder = scratchFolder();
  {
    using connection = open(folder);
    migrate(connection, [first, second]);
    migrate(connection, [first, second]);
  }
  using connection = open(folder);
  migrate(connection, [first, second, third]);
  expect(traceOf(connection)).toEqual(["first", "second", "third"]);
  expect(recordedIn(connection)).toEqual(["1 first", "2 second", "3 third"]);
});

it("refuses a store that a newer program wrote, says what to do, and changes nothing [CORE-13]", () => {
  using folder = scratchFolder();
  using connection = open(folder);
  migrate(connection, [first, second, third]);
  expect(() => migrate(connection, [first, second])).toThrow(
    expect.objectContaining({
      code: "store.newer",
      message: expect.stringMatching(/upgrade Sylk.*sylk restore/),
      details: { storeSchema: 3, programSchema: 2 },
    }),
  );
  expect(traceOf(connection)).toEqual(["first", "second", "third"]);
});

it("refuses a store made with another version of a migration, before it runs a later one [CORE-13]", () => {
  using folder = scratchFolder();
  using connection = open(folder);
  migrate(connection, [first, second]);
  const changed = { ...second, sql: `${second.sql}; -- edited after it was published` };
  expect(() => migrate(connection, [first, changed, third])).toThrow(
    expect.objectContaining({ code: "store.newer", details: { migration: 2 } }),
  );
  expect(traceOf(connection)).toEqual(["first", "second"]);
});

it("leaves the store as it was when one of the pending migrations fails, and runs them all the next time [CORE-13]", () => {
  using folder = scratchFolder();
  using connection = open(folder);
  migrate(connection, [first]);
  const broken: Migration = { ...third, sql: `${third.sql}; INSERT INTO missing VALUES (1)` };
  expect(() => migrate(connection, [first, second, broken])).toThrow("missing");
  expect(traceOf(connection)).toEqual(["first"]);
  expect(recordedIn(connection)).toEqual(["1 first"]);
  migrate(connection, [first, second, third]);
  expect(traceOf(connection)).toEqual(["first", "second", "third"]);
});

it("finds the migrations of all folders as one sequence without gap, which runs on an empty store", () => {
  const migrations = readMigrations();
  expect(migrations.length).toBeGreaterThan(1);
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  using folder = scratchFolder();
  using connection = open(folder);
  migrate(connection, migrations);
  expect(recordedIn(connection)).toEqual(migrations.map(({ number, name }) => `${number} ${name}`));
  expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(connection.pragma("foreign_key_check")).toEqual([]);
});
