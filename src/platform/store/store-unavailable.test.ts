import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { asStoreError, storeUnavailable } from "./store-unavailable.ts";

const refusal = (code: string) => new Database.SqliteError("as SQLite says it", code);

it.each([
  ["SQLITE_FULL", "its disk is full (as SQLite says it)", "free some space and repeat: no restart is needed"],
  ["SQLITE_IOERR_WRITE", "its disk reports an error (as SQLite says it)", "check the disk and its limits"],
  ["SQLITE_READONLY_DBMOVED", "it is read-only (as SQLite says it)", "make the file and its folder writable"],
  ["SQLITE_CANTOPEN", "its file cannot be opened (as SQLite says it)", "check what is at this path"],
  ["SQLITE_BUSY_SNAPSHOT", "another program holds it (as SQLite says it)", "close what has the file open"],
  ["SQLITE_NOMEM", "as SQLite says it", 'check the disk, then run "sylk doctor"'],
])("says of %s what has happened and what to do [CORE-17]", (code, reason, wayOut) => {
  const cause = refusal(code);
  const error = asStoreError(cause);
  expect(error).toMatchObject({ code: "store.unavailable", details: { reason }, cause });
  const said = `The store cannot be used: ${reason}; nothing was changed; ${wayOut}`;
  expect((error as Error).message).toContain(said);
});

it("leaves a statement of ours that is wrong as it is, and needs no cause", () => {
  const wrong = refusal("SQLITE_ERROR");
  expect(asStoreError(wrong)).toBe(wrong);
  expect(storeUnavailable(undefined).message).toContain("the transaction was ended by the store");
});
