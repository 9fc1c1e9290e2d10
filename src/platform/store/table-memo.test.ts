import { expect, it } from "vitest";
import { createTableMemo } from "./table-memo.ts";

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
  const memo = createTableMemo({ mostKept: 2 });
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
