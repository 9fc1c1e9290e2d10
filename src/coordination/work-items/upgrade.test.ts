import Database from "better-sqlite3";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore, readMigrations } from "../../platform/store/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { sqliteWorkItems } from "./index.ts";

it("finds what is ready in a store that was written before dependencies were counted [WRK-1]", async () => {
  using folder = scratchFolder();
  const file = join(folder.path, "sylk.db");
  const all = readMigrations();
  openSqliteStore({ file, migrations: all.filter(({ number }) => number < 11), repositories: {} }).close();
  const old = new Database(file);
  old.exec("INSERT INTO projects (id, path, name, first_seen_at) VALUES ('prj_1', '/srv/shop', 'shop', 0)");
  const add = old.prepare(
    "INSERT INTO work_items (id, project, title, type, priority, status, fencing_token, version, created_at, updated_at) VALUES (?, 'prj_1', ?, 'bug', 2, ?, 0, 1, ?, 0)",
  );
  ["closed", "open", "open", "open"].forEach((status, index) =>
    add.run(`wrk_${index}`, `item ${index}`, status, index),
  );
  const needs = old.prepare("INSERT INTO work_item_dependencies (item, depends_on) VALUES (?, ?)");
  for (const [item, needed] of [
    ["wrk_2", "wrk_0"],
    ["wrk_3", "wrk_0"],
    ["wrk_3", "wrk_1"],
  ])
    needs.run(item, needed);
  old.close();
  const store = openSqliteStore({ file, migrations: all, repositories: { workItems: sqliteWorkItems } });
  const ready = async () => (await store.reader.workItems.readyOpen(undefined, 10)).map(({ id }) => id as string);
  expect(await ready()).toEqual(["wrk_1", "wrk_2"]);
  await store.transact("test", async ({ workItems }) => {
    const first = (await workItems.find("wrk_1" as never))!;
    await workItems.update({ ...first, status: "closed" });
  });
  expect(await ready()).toEqual(["wrk_2", "wrk_3"]);
  expect(await store.reader.workItems.find("wrk_3" as never)).toMatchObject({
    labels: [],
    dependsOn: ["wrk_0", "wrk_1"],
    relatesTo: [],
    discoveredFrom: [],
  });
  store.close();
});
