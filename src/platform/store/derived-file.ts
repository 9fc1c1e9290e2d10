/**
 * A SQLite file whose content can be made again at any time: an index, a cache. Apart from the home's store.
 *
 *   open -> schema of this program? -> ready
 *        -> damaged, or another schema's -> removed and made anew; `why` says so
 *
 * It need not wait for the disk: what power loss takes is made again.
 */
import { existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { keepPrivate } from "./keep-private.ts";
import { busyTimeoutMs } from "./open-writer.ts";
import { isDamage } from "./store-unavailable.ts";
import type { SqlRow, SqlValue } from "./store.ts";

export type DerivedFile = {
  all(text: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  get(text: string, ...values: readonly SqlValue[]): SqlRow | undefined;
  run(text: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  /** All of it or nothing; nothing else of this connection comes between. */
  transact<T>(work: () => T): T;
  /** Bytes on the disk that hold something. */
  usedBytes(): number;
  /** Gives free pages back to the file system, at most so many. */
  shrink(pages: number): void;
  close(): void;
};
type Terms = {
  /** Statements that make the tables. */
  readonly schema: string;
  /** Another number is another schema. */
  readonly version: number;
};

/** `why`: the reason why an existing file was removed. */
export function openDerivedFile(file: string, terms: Terms): { readonly sql: DerivedFile; readonly why?: string } {
  try {
    const opened = openAs(file, terms);
    if (opened !== "another schema") return { sql: opened };
    removeDerivedFile(file);
    return { sql: openFresh(file, terms) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDerivedFile(file);
    return { sql: openFresh(file, terms), why: error.message };
  }
}

/** Looks into a file without changing it; undefined where there is none, or one that only its owner can make good. */
export function readDerivedFile<T>(
  file: string,
  version: number,
  look: (sql: Pick<DerivedFile, "all" | "get">) => T,
): T | undefined {
  if (!existsSync(file)) return undefined;
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    if (connection.pragma("user_version", { simple: true }) !== version) return undefined;
    return look(overConnection(connection));
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

/** True for an error after which the file must be made again. */
export { isDamage as isDerivedDamage };

/** True where the machine has no room for it, as opposed to a file that is wrong. */
export function isOutOfRoom(error: unknown): error is Error {
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOSPC") return true;
  return error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)/.test(error.code);
}

export function removeDerivedFile(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true, recursive: true });
}

function openFresh(file: string, terms: Terms): DerivedFile {
  const opened = openAs(file, terms);
  if (opened === "another schema") throw new Error(`${file} was made just now and has another schema`);
  return opened;
}

function openAs(file: string, { schema, version }: Terms): DerivedFile | "another schema" {
  keepPrivate(file);
  const connection = new Database(file);
  try {
    connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    const isNew = connection.pragma("schema_version", { simple: true }) === 0;
    if (isNew) connection.pragma("auto_vacuum = INCREMENTAL");
    connection.pragma("journal_mode = WAL");
    connection.pragma("synchronous = NORMAL");
    connection.pragma("cache_size = -16000");
    // Two processes may make it at once: the second finds it made.
    connection
      .transaction(() => {
        if (connection.pragma("schema_version", { simple: true }) !== 0) return;
        connection.exec(schema);
        connection.pragma(`user_version = ${version}`);
      })
      .immediate();
    if (connection.pragma("user_version", { simple: true }) === version) return overConnection(connection);
    connection.close();
    return "another schema";
  } catch (error) {
    connection.close();
    throw error;
  }
}

function overConnection(connection: Database.Database): DerivedFile {
  const statements = new Map<string, Database.Statement>();
  const prepared = (text: string): Database.Statement => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = connection.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
  const pragma = (name: string): number => connection.pragma(name, { simple: true }) as number;
  return {
    all: (text, ...values) => prepared(text).all(...values) as SqlRow[],
    get: (text, ...values) => prepared(text).get(...values) as SqlRow | undefined,
    run(text, ...values) {
      const { changes, lastInsertRowid } = prepared(text).run(...values);
      return { changes, lastInsertRowid: Number(lastInsertRowid) };
    },
    transact: (work) => connection.transaction(work).immediate(),
    usedBytes: () => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size"),
    shrink: (pages) => void connection.pragma(`incremental_vacuum(${pages})`),
    close: () => void connection.close(),
  };
}
