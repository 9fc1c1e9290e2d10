import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dataHandlers } from "./handlers.ts";
import { recordRestore } from "./record-restore.ts";
import { scratchRecords, type ScratchRecords } from "./testkit.ts";

const userCall = ({ store: { transact } }: ScratchRecords) =>
  ({ caller: { kind: "user", project: undefined }, transact }) as const;

function handlersOf(world: ScratchRecords) {
  const evicted: string[] = [];
  const handlers = dataHandlers({
    ...world,
    paths: { home: world.folder.path, database: world.file },
    copyStore: async (file) => ({ file, bytes: 1 }),
    async evictForgotten() {
      evicted.push((await world.store.reader.projects.list()).length === 0 ? "after" : "before");
    },
  });
  return { handlers, evicted };
}

it("forgets a project in the store first, then in memory", async () => {
  using world = scratchRecords();
  await world.agent("heron").then((call) => world.item(call, { closed: true }));
  const [{ id } = expect.unreachable()] = await world.store.reader.projects.list();
  const { handlers, evicted } = handlersOf(world);
  world.clock.advance(365 * 24 * 3_600_000);
  await handlers["project.forget"]({ target: id, dryRun: false, worktrees: false }, userCall(world));
  expect(evicted).toEqual(["after"]);
});

it("names an export file of its own, private and never the same twice, when the caller names none", async () => {
  using world = scratchRecords();
  const { handlers } = handlersOf(world);
  const wanted = { file: undefined, only: undefined, format: "jsonl" } as const;
  const files = [
    await handlers["store.export"](wanted, userCall(world)),
    await handlers["store.export"](wanted, userCall(world)),
  ];
  expect(new Set(files.map(({ file }) => file)).size).toBe(2);
  for (const { file } of files) expect(existsSync(file)).toBe(true);
  expect(statSync(join(world.folder.path, "exports")).mode & 0o777).toBe(0o700);
});

it("a restore is entered into the audit once, by the daemon that finds its note", async () => {
  using world = scratchRecords();
  const warned: string[] = [];
  const ports = { store: world.store, database: world.file, log: { warn: (event: string) => void warned.push(event) } };
  writeFileSync(join(world.folder.path, "restored.json"), JSON.stringify({ at: 1, from: "before.db", kept: null }));
  await recordRestore(ports);
  await recordRestore(ports);
  const entries = await world.store.reader.audit.page({
    action: undefined,
    since: undefined,
    before: undefined,
    limit: 10,
  });
  expect([warned, entries.map(({ action }) => action)]).toEqual([["store.restored"], ["store.restored"]]);
});
