/** Reads a store's file that no daemon has open, for example a backup: read-only, closed when the work is done. */
import Database from "better-sqlite3";
import { createSql } from "./sqlite-sql.ts";
import { storeUnavailable } from "./store-unavailable.ts";
import type { Sql } from "./store.ts";

export async function readSqliteFile<T>(file: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = open(file);
  try {
    return await work(
      createSql(connection).sql({
        isAlive: () => connection.open,
        beforeWrite: () => {},
        afterCommit: () => {
          throw new Error("a file that is only read commits nothing");
        },
      }),
    );
  } finally {
    connection.close();
  }
}

function open(file: string): Database.Database {
  try {
    return new Database(file, { readonly: true, fileMustExist: true });
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}
