/** The SQLite store: the suite of the port, then what only a file can show. */
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore, type Migration, type Sql, type Store } from "../../src/platform/store/index.ts";
import type { Notes, Rows, ScratchStore } from "./scratch-store.ts";
import { storeConformance } from "./store.ts";

const migrations: readonly Migration[] = [
  { number: 1, name: "notes", sql: "CREATE TABLE notes (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT" },
];

function sqliteNotes(sql: Sql): Notes {
  return {
    async put(key, text) {
      sql.run("INSERT INTO notes VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text", key, text);
    },
    async remove(key) {
      sql.run("DELETE FROM notes WHERE key = ?", key);
    },
    all: async () => toRows(sql.all("SELECT key, text FROM notes")),
    async takeRoom() {
      sql.get(`PRAGMA max_page_count = ${Number(sql.get("PRAGMA page_count")!.page_count)}`);
    },
    async makeRoom() {
      sql.get("PRAGMA max_page_count = 1000000");
    },
  };
}

function toRows(rows: readonly unknown[]): Rows {
  return Object.fromEntries((rows as { key: string; text: string }[]).map(({ key, text }) => [key, text]));
}

type SqliteScratch = ScratchStore & { readonly file: string; readonly outside: Database.Database };

function openScratch({ maxGroup }: { maxGroup?: number } = {}): SqliteScratch {
  const folder = mkdtempSync(join(tmpdir(), "sylk-store-"));
  const file = join(folder, "sylk.db");
  const defects: unknown[] = [];
  const store: Store<{ notes: Notes }> = openSqliteStore({
    file,
    migrations,
    repositories: { notes: sqliteNotes },
    onDefect: (error) => defects.push(error),
    ...(maxGroup === undefined ? {} : { maxGroup }),
  });
  const outside = new Database(file, { timeout: 0 });
  const select = outside.prepare("SELECT key, text FROM notes");
  return {
    store,
    file,
    outside,
    defects,
    seenOutside: async () => toRows(select.all()),
    [Symbol.dispose]() {
      outside.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "sylk-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "sylk.db");
}

const putAll = (store: SqliteScratch["store"], keys: readonly string[]) =>
  Promise.all(keys.map((key) => store.transact("scope", (tx) => tx.notes.put(key, "1"))));

storeConformance(openScratch);

describe("in the file", () => {
  it("writes one commit record for a whole turn, and one for each group of a turn that is too large [CORE-9]", async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
    for (const [maxGroup, commits] of [
      [100, 1],
      [4, 3],
    ] as const) {
      using scratch = openScratch({ maxGroup });
      const before = commitRecords(scratch.file);
      await putAll(scratch.store, keys);
      expect(commitRecords(scratch.file) - before).toBe(commits);
    }
  });

  it("syncs each commit before it acknowledges it: WAL with synchronous FULL", async () => {
    using scratch = openScratch();
    const modes = await scratch.store.transact("scope", async () => scratch.outside.pragma("journal_mode"));
    expect(modes).toEqual([{ journal_mode: "wal" }]);
    const file = scratchFile();
    const store = openSqliteStore({
      file,
      migrations: [],
      repositories: { mode: (sql) => ({ synchronous: async () => sql.get("PRAGMA synchronous")!.synchronous }) },
    });
    expect(await store.transact("scope", (tx) => tx.mode.synchronous())).toBe(2);
    store.close();
  });

  it("lets another process write while a stray callback still waits [CORE-10]", async () => {
    using scratch = openScratch();
    const { store, outside } = scratch;
    const release = Promise.withResolvers<void>();
    const stray = store.transact("scope", async (tx) => {
      await tx.notes.put("stray", "1");
      await release.promise;
    });
    await expect(stray).rejects.toMatchObject({ code: "internal" });
    outside.exec("BEGIN IMMEDIATE; INSERT INTO notes VALUES ('outside', '1'); COMMIT");
    release.resolve();
    expect(await store.reader.notes.all()).toEqual({ outside: "1" });
  });

  it("leaves nothing running behind, neither after a group nor after one that SQLite ended", async () => {
    using scratch = openScratch();
    const { store } = scratch;
    const immediates = () => process.getActiveResourcesInfo().filter((name) => name === "Immediate").length;
    await putAll(store, ["a", "b"]);
    await store.transact("scope", (tx) => tx.notes.takeRoom());
    const before = immediates();
    const filling = store.transact("scope", (tx) => tx.notes.put("big", "x".repeat(500_000)));
    await expect(filling).rejects.toMatchObject({ code: "store.unavailable" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(immediates()).toBe(before);
  });

  it("keeps what it acknowledged when it is opened again", async () => {
    const file = scratchFile();
    const open = () => openSqliteStore({ file, migrations, repositories: { notes: sqliteNotes } });
    const first = open();
    await putAll(first, ["a", "b"]);
    first.close();
    const second = open();
    expect(await second.reader.notes.all()).toEqual({ a: "1", b: "1" });
    second.close();
  });
});

describe("a row that is kept in memory", () => {
  const kept = (sql: Sql) => ({
    ...sqliteNotes(sql),
    find: async (key: string) =>
      sql.recall("notes", key, () => sql.get("SELECT text FROM notes WHERE key = ?", key)?.text),
  });
  function openKept() {
    const store = openSqliteStore({ file: scratchFile(), migrations, repositories: { notes: kept } });
    onTestFinished(() => store.close());
    return store;
  }

  it("is the committed one for readers and the new one for its writer, until the change is committed or undone", async () => {
    const store = openKept();
    await store.transact("scope", (tx) => tx.notes.put("a", "old"));
    expect(await store.reader.notes.find("a")).toBe("old");
    const seen: unknown[] = [];
    const look = async (tx: { readonly notes: ReturnType<typeof kept> }) =>
      void seen.push(await tx.notes.find("a"), await store.reader.notes.find("a"));
    const undone = store.transact("scope", async (tx) => {
      await tx.notes.put("a", "undone");
      await look(tx);
      throw new Error("no");
    });
    await Promise.all([expect(undone).rejects.toThrow("no"), store.transact("scope", look)]);
    await store.transact("scope", async (tx) => {
      await look(tx);
      await tx.notes.put("a", "new");
      await look(tx);
    });
    await look(store.reader);
    expect(seen).toEqual(["undone", "old", "old", "old", "old", "old", "new", "old", "new", "new"]);
  });

  it("is gone for everyone once it is removed, and dies with its transaction's handle", async () => {
    const store = openKept();
    await store.transact("scope", (tx) => tx.notes.put("a", "1"));
    expect(await store.reader.notes.find("a")).toBe("1");
    const late = await store.transact("scope", async (tx) => {
      await tx.notes.remove("a");
      return tx.notes;
    });
    expect(await store.reader.notes.find("a")).toBeUndefined();
    await expect(late.find("a")).rejects.toThrow("transaction has ended");
  });
});

describe("a machine that refuses", () => {
  it("answers store.unavailable to the whole turn while another process holds the write lock", async () => {
    const file = scratchFile();
    const store = openSqliteStore({
      file,
      migrations,
      repositories: {
        notes: sqliteNotes,
        // A daemon waits 5 s for the lock; a test has no time for that.
        patience: (sql) => ({ end: async () => sql.get("PRAGMA busy_timeout = 0") }),
      },
    });
    const outside = new Database(file);
    onTestFinished(() => {
      outside.close();
      store.close();
    });
    await store.transact("scope", (tx) => tx.patience.end());
    outside.exec("BEGIN IMMEDIATE");
    const turn = ["a", "b"].map((key) => store.transact("scope", (tx) => tx.notes.put(key, "1")));
    const unavailable = { status: "rejected", reason: { code: "store.unavailable", cause: expect.any(Error) } };
    expect(await Promise.allSettled(turn)).toMatchObject([unavailable, unavailable]);
    outside.exec("ROLLBACK");
    await store.transact("scope", (tx) => tx.notes.put("c", "1"));
    expect(await store.reader.notes.all()).toEqual({ c: "1" });
  });

  it("is store.unavailable, not a defect, also where SQLite undoes the statement alone", async () => {
    const file = scratchFile();
    // Several rows with a constraint that may fail: SQLite keeps a journal of the statement and undoes just that.
    const store = openSqliteStore({
      file,
      migrations,
      repositories: {
        notes: sqliteNotes,
        bulk: (sql) => ({
          async fill() {
            sql.run(
              `INSERT INTO notes WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
               SELECT 'row ' || i, hex(zeroblob(2000)) FROM n`,
            );
          },
        }),
      },
    });
    onTestFinished(() => store.close());
    await store.transact("scope", (tx) => tx.notes.takeRoom());
    const [filling, other] = await Promise.allSettled([
      store.transact("scope", (tx) => tx.bulk.fill()),
      store.transact("scope", (tx) => tx.notes.put("other", "1")),
    ]);
    expect(filling).toMatchObject({ status: "rejected", reason: { code: "store.unavailable" } });
    expect(other.status).toBe("fulfilled");
    expect(await store.reader.notes.all()).toEqual({ other: "1" });
  });

  it("is store.unavailable for a reader whose file is damaged under it", async () => {
    using scratch = openScratch();
    const { store, outside, file } = scratch;
    await store.transact("scope", (tx) => tx.notes.put("long", "x".repeat(200_000)));
    outside.pragma("wal_checkpoint(TRUNCATE)");
    truncateSync(file, statSync(file).size - 100_000);
    await expect(store.reader.notes.all()).rejects.toMatchObject({
      code: "store.unavailable",
      cause: expect.any(Error),
    });
  });

  it("is store.damaged with the way out for a file that is no database, which stays as it was", () => {
    const file = scratchFile();
    writeFileSync(file, "not a database, but something a person wrote".repeat(100));
    expect(() => openSqliteStore({ file, migrations, repositories: { notes: sqliteNotes } })).toThrow(
      expect.objectContaining({
        code: "store.damaged",
        message: expect.stringContaining("sylk doctor"),
        cause: expect.any(Error),
      }),
    );
    expect(readFileSync(file, "utf8")).toContain("something a person wrote");
  });
});

/** Commit records in the write-ahead log: frames whose header names the size of the database after the commit. */
function commitRecords(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    const current = log.readUInt32BE(at + 8) === log.readUInt32BE(16);
    if (current && log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
