/** SQL over one better-sqlite3 connection: statements prepared once per text; each handle dies with its transaction. */
import type { Database, Statement } from "better-sqlite3";
import { asStoreError } from "./store-unavailable.ts";
import type { Sql, SqlRow } from "./store.ts";
import type { TableMemo } from "./table-memo.ts";

export type SqlSession = {
  sql(terms: SqlTerms): Sql;
  exec(text: string): void;
  inTransaction(): boolean;
};

type SqlTerms = {
  readonly isAlive: () => boolean;
  /** Called before each statement that can change something. */
  readonly beforeWrite: () => void;
  readonly afterCommit: (effect: () => void) => void;
};

/** Without a memo every read is made: for a connection that sees another instant. */
export function createSql(connection: Database, memo?: TableMemo): SqlSession {
  const statements = new Map<string, Statement>();
  function prepared(text: string): Statement {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = connection.prepare(withPlainLimit(text));
      statements.set(text, statement);
    }
    return statement;
  }
  function query<T>({ isAlive, beforeWrite }: SqlTerms, text: string, use: (statement: Statement) => T): T {
    if (!isAlive()) throw transactionEnded();
    try {
      const statement = prepared(text);
      if (!statement.readonly) {
        beforeWrite();
        memo?.writing(text);
      }
      return use(statement);
    } catch (error) {
      throw asStoreError(error);
    }
  }
  return {
    sql: (terms) => ({
      all: (text, ...values) => query(terms, text, (statement) => statement.all(...values) as SqlRow[]),
      get: (text, ...values) => query(terms, text, (statement) => statement.get(...values) as SqlRow | undefined),
      run: (text, ...values) => {
        const { changes, lastInsertRowid } = query(terms, text, (statement) => statement.run(...values));
        return { changes, lastInsertRowid: Number(lastInsertRowid) };
      },
      afterCommit: terms.afterCommit,
      recall: (tables, key, read) => {
        if (!terms.isAlive()) throw transactionEnded();
        return memo === undefined ? read() : memo.recall(tables, key, read);
      },
    }),
    exec: (text) => void prepared(text).run(),
    inTransaction: () => connection.inTransaction,
  };
}

/**
 * SQLite built with STAT4 looks at a bound limit while it plans, and so plans anew whenever one is bound: 40 µs instead of
 * 5 µs for a query that finds nothing. At an expression it does not look.
 */
function withPlainLimit(text: string): string {
  return text.replaceAll(/\bLIMIT \?(?!\s*\+)/g, "LIMIT ? + 0");
}

export function transactionEnded(): Error {
  return new Error("This transaction has ended; its handle must no longer be used");
}
