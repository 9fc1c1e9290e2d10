import { join } from "node:path";
import { expect, it } from "vitest";
import type { Migration } from "./migrate.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Sql } from "./store.ts";
import { scratchFolder } from "./testkit.ts";

const migrations: readonly Migration[] = [{ number: 1, name: "first", sql: "CREATE TABLE notes (text TEXT) STRICT" }];
const repositories = {
  notes: (sql: Sql) => ({
    add: async (text: string) => void sql.run("INSERT INTO notes (text) VALUES (?)", text),
    remove: async () => void sql.run("DELETE FROM notes"),
    all: async () => sql.all("SELECT text FROM notes ORDER BY rowid").map((row) => row.text),
  }),
};

it("shows one instant for as long as it is read, and holds up no writer", async () => {
  using folder = scratchFolder();
  const store = openSqliteStore({ file: join(folder.path, "sylk.db"), migrations, repositories });
  await store.transact("x", (tx) => tx.notes.add("before"));
  const seen = await store.snapshot(async ({ notes }) => {
    await store.transact("x", (tx) => tx.notes.add("meanwhile"));
    expect(await store.reader.notes.all()).toEqual(["before", "meanwhile"]);
    return notes.all();
  });
  expect(seen).toEqual(["before"]);
  store.close();
});

it("empties the log at once, or says that a reader still needs it", async () => {
  using folder = scratchFolder();
  const store = openSqliteStore({ file: join(folder.path, "sylk.db"), migrations, repositories });
  await store.transact("x", (tx) => tx.notes.add("the-secret"));
  await store.snapshot(async () => {
    await store.transact("x", (tx) => tx.notes.remove());
    expect(store.emptyLog()).toBe(false);
    expect(folder.content()).toContain("the-secret");
  });
  expect(store.emptyLog()).toBe(true);
  expect(folder.content()).not.toContain("the-secret");
  store.close();
});
