import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { createTableMemo } from "./table-memo.ts";
import { migratedFile, scratchFolder } from "./testkit.ts";

function counted() {
  let reads = 0;
  return { read: () => ({ number: ++reads }), reads: () => reads };
}

it("reads once until a statement writes one of the tables", () => {
  const memo = createTableMemo();
  const { read } = counted();
  expect([1, 2].map(() => memo.recall("agents projects", "agt_1", read).number)).toEqual([1, 1]);
  memo.writing("UPDATE work_items SET owner = ? WHERE id = ?");
  memo.settled();
  expect(memo.recall("agents projects", "agt_1", read).number).toBe(1);
  memo.writing("update PROJECTS SET name = ?");
  memo.settled();
  expect(memo.recall("agents projects", "agt_1", read).number).toBe(2);
});

it("keeps nothing between a write and the end of its group, also of tables that were not asked for before", () => {
  const memo = createTableMemo();
  const { read, reads } = counted();
  memo.recall("agents", "agt_1", read);
  for (const text of ["DELETE FROM agents WHERE id = ?", "DELETE FROM tokens WHERE agent IS ?"]) memo.writing(text);
  for (const tables of ["agents", "tokens", "agents", "tokens"]) memo.recall(tables, "agt_1", read);
  expect(reads()).toBe(5);
  memo.settled();
  expect([1, 2].map(() => memo.recall("tokens", "agt_1", read).number)).toEqual([6, 6]);
});

it("does not keep that something is absent, and keeps no more than its limit, the newest ones", () => {
  const memo = createTableMemo({ mostRows: 2 });
  let reads = 0;
  const absent = () => void reads++;
  memo.recall("tokens", "made-up", absent);
  memo.recall("tokens", "made-up", absent);
  expect(reads).toBe(2);
  const { read } = counted();
  for (const key of ["a", "b", "c"]) memo.recall("tokens", key, read);
  expect(["c", "b", "a"].map((key) => memo.recall("tokens", key, read).number)).toEqual([3, 2, 4]);
  memo.forgetAll();
  expect(memo.recall("tokens", "c", read).number).toBe(5);
});

it("counts the rows of a list, and keeps none that is too long", () => {
  const memo = createTableMemo({ mostRows: 3 });
  const { read, reads } = counted();
  const list = (length: number) => () => Array.from({ length }, read);
  for (const length of [2, 2, 1, 2]) memo.recall("reservations", `list of ${length}`, list(length));
  expect(reads()).toBe(3);
  for (let time = 0; time < 2; time++) memo.recall("reservations", "list of 4", list(4));
  expect(reads()).toBe(11);
});

it("keeps rows only of tables that no trigger and no cascade writes behind its back", () => {
  const source = join(import.meta.dirname, "..", "..");
  const texts = globSync("**/*.sqlite.ts", { cwd: source }).map((file) => readFileSync(join(source, file), "utf8"));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:recall\(|const tables = )"([\w ]+)"/g)].map(([, names]) => names!),
  );
  const tables = [...new Set(named.flatMap((names) => names.split(" ")))];
  expect(tables.toSorted()).toEqual(["agents", "projects", "reservations", "tokens"]);
  using folder = scratchFolder();
  const store = new Database(migratedFile(join(folder.path, "sylk.db")).file);
  const triggers = store.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger'").pluck().all() as string[];
  const writes = (table: string) => new RegExp(`\\b(?:INTO|UPDATE|DELETE FROM) +${table}\\b`, "i");
  for (const table of tables) {
    expect(triggers.filter((text) => writes(table).test(text.slice(text.indexOf("BEGIN"))))).toEqual([]);
    const references = store.pragma(`foreign_key_list(${table})`) as Record<
      "table" | "on_delete" | "on_update",
      string
    >[];
    const acting = references.filter((one) => one.on_delete !== "NO ACTION" || one.on_update !== "NO ACTION");
    expect(acting.map((one) => one.table).filter((other) => other !== table)).toEqual([]);
  }
  store.close();
});
