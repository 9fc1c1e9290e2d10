import { expect, it } from "vitest";
import type { Caller, HistoryEntry, ProjectId } from "../../contract/index.ts";
import { openSqliteStore, type Sql } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { listHistory } from "./list-history.ts";
import { sqliteArchive } from "./store.sqlite.ts";

const project = "prj_1" as ProjectId;
const caller = { kind: "user", project: { id: project } } as Caller;
const entry = (number: number, title: string, content: HistoryEntry["content"] = {}): HistoryEntry =>
  ({
    id: `run_${String(number).padStart(3, "0")}`,
    session: "ses_1",
    category: "workflow",
    title,
    content,
    at: number,
  }) as HistoryEntry;

/** The registry's table, as far as the archive needs it. */
const projects = (sql: Sql) => ({
  see: async (id: ProjectId) =>
    void sql.run("INSERT OR IGNORE INTO projects (id, path, name, first_seen_at) VALUES (?, ?, 'shop', 1)", id, id),
});

function world() {
  const folder = scratchFolder();
  const store = openSqliteStore({
    ...migratedFile(`${folder.path}/sylk.db`),
    repositories: { archive: sqliteArchive, projects },
    onDefect: () => {},
  });
  const keep = (kept: HistoryEntry, of = project) =>
    store.transact("keep", async (tx) => {
      await tx.projects.see(of);
      await tx.archive.keep(of, kept);
    });
  const list = (query?: string, more: object = {}) => listHistory({ query, limit: 100, ...more }, caller, { store });
  return {
    keep,
    list,
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

it("finds entries by all words in title or content, newest first, of the caller's project only [RUN-1]", async () => {
  using at = world();
  await at.keep(entry(1, "Add Discounts", { status: "verified" }));
  await at.keep(entry(2, "Add taxes", { note: "no discounts" }));
  await at.keep(entry(3, "Add discounts elsewhere"), "prj_2" as ProjectId);
  const ids = async (query?: string) => (await at.list(query)).items.map(({ id }) => id);
  expect(await ids()).toEqual(["run_002", "run_001"]);
  expect(await ids("discounts ADD")).toEqual(["run_002", "run_001"]);
  expect(await ids("discounts verified")).toEqual(["run_001"]);
  expect(await ids("100% _")).toEqual([]);
});

it("replaces an entry that ends again, and pages without gap or repetition [RUN-1]", async () => {
  using at = world();
  for (let number = 1; number <= 5; number++) await at.keep(entry(number, `Run ${number}`, { status: "unverified" }));
  await at.keep(entry(3, "Run 3", { status: "verified" }));
  const first = await at.list(undefined, { limit: 2 });
  const second = await at.list(undefined, { limit: 2, cursor: first.nextCursor });
  const third = await at.list(undefined, { limit: 2, cursor: second.nextCursor });
  expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual([
    "run_005",
    "run_004",
    "run_003",
    "run_002",
    "run_001",
  ]);
  expect([second.items[0]?.content, third.nextCursor]).toEqual([{ status: "verified" }, undefined]);
});
