/**
 * What a daemon's store holds, read by a second connection of our own: equal before and after means nothing was changed.
 * When an agent was last seen is no change: every call says so, and it is written now and then.
 */
import { createHash } from "node:crypto";
import Database from "better-sqlite3";

export type StoreState = {
  readonly newestEvent: number;
  /** Of each table: how many rows, and a hash of them all. */
  readonly tables: Readonly<Record<string, string>>;
};
export type StoreWatch = Disposable & {
  state(): StoreState;
  /** Changes with every commit of anybody else; cheaper than the state, which says what changed. */
  version(): number;
};

const passing: Readonly<Record<string, readonly string[]>> = { agents: ["last_seen_at"] };

/** `besides` are tables to leave out: a client that sends keys has even refusals kept for it, to be told again. */
export function watchStore(file: string, besides: readonly string[] = []): StoreWatch {
  const database = new Database(file, { readonly: true });
  return {
    state() {
      const names = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .pluck()
        .all() as string[];
      return {
        newestEvent: database.prepare("SELECT coalesce(max(sequence), 0) FROM events").pluck().get() as number,
        tables: Object.fromEntries(
          names.filter((name) => !besides.includes(name)).map((name) => [name, digestOf(database, name)]),
        ),
      };
    },
    version: () => database.pragma("data_version", { simple: true }) as number,
    [Symbol.dispose]: () => void database.close(),
  };
}

function digestOf(database: Database.Database, table: string): string {
  const hash = createHash("sha256");
  let rows = 0;
  for (const row of database.prepare(`SELECT * FROM "${table}"`).iterate() as Iterable<Record<string, unknown>>) {
    for (const column of passing[table] ?? []) delete row[column];
    hash.update(JSON.stringify(row));
    rows++;
  }
  return `${rows} rows, ${hash.digest("hex").slice(0, 16)}`;
}
