/** SQL over one better-sqlite3 connection: statements prepared once per text; each handle dies with its transaction. */
import type { Database, Statement } from "better-sqlite3";
import type { Sql, SqlRow } from "./store.ts";

export type SqlSession = {
  sql(isAlive: () => boolean, afterCommit: (effect: () => void) => void): Sql;
  exec(text: string): void;
  inTransaction(): boolean;
};

export function createSql(connection: Database): SqlSession {
  const statements = new Map<string, Statement>();
  function prepared(text: string, isAlive: () => boolean): Statement {
    if (!isAlive()) throw new Error("This transaction has ended; its handle must not be used any more");
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = connection.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  }
  return {
    sql: (isAlive, afterCommit) => ({
      all: (text, ...values) => prepared(text, isAlive).all(...values) as SqlRow[],
      get: (text, ...values) => prepared(text, isAlive).get(...values) as SqlRow | undefined,
      run: (text, ...values) => {
        const { changes, lastInsertRowid } = prepared(text, isAlive).run(...values);
        return { changes, lastInsertRowid: Number(lastInsertRowid) };
      },
      afterCommit,
    }),
    exec: (text) => void prepared(text, () => true).run(),
    inTransaction: () => connection.inTransaction,
  };
}
