/** A daemon of this program over the kept store, with the repository, the working trees and the scenes its runs need. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { createGit, createWorkspaces } from "../../../src/adapters/git/index.ts";
import type { RunId } from "../../../src/contract/index.ts";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { migrate } from "../../../src/platform/store/migrate.ts";
import { readMigrations } from "../../../src/platform/store/read-migrations.ts";
import { openScratchDaemon, type ScratchDaemon } from "../../flows/scratch-daemon.ts";
import { makeQuickShop, shopEnv, type Shop } from "../../flows/scratch-shop.ts";
import { runNames, turnsOf, type RunName } from "./scenes.ts";

type Rows = readonly Readonly<Record<string, string | number | null>>[];
type OldStore = {
  readonly schema: number;
  readonly ids: Readonly<Record<RunName, RunId>>;
  readonly written: Readonly<Record<RunName, Readonly<Record<string, string>>>>;
  readonly tables: Readonly<Record<string, Rows>>;
};
export type OldDaemon = {
  readonly daemon: ScratchDaemon;
  readonly shop: Shop;
  readonly ids: OldStore["ids"];
};

const kept = readFileSync(join(import.meta.dirname, "old-store.json"), "utf8");

export async function openOldStore(): Promise<OldDaemon> {
  const daemon = await openScratchDaemon({ env: shopEnv });
  await daemon.kill();
  const shop = makeQuickShop(daemon);
  const base = shop.git("rev-parse", "HEAD");
  const here = (text: string, commits: ReadonlyMap<string, string>): string =>
    text
      .replaceAll("{{ROOT}}/shop-1", shop.repository)
      .replaceAll("{{ROOT}}", daemon.root)
      .replaceAll("{{BASE}}", base)
      .replaceAll("{{PATH}}", shopEnv.PATH!)
      .replaceAll(/\{\{COMMIT:(\w+)\}\}/g, (_, name: string) => commits.get(name) ?? base);
  const { written, tables } = JSON.parse(here(kept, new Map())) as OldStore;
  const commits = new Map<string, string>();
  for (const row of tables.runs ?? []) {
    const name = nameOf(String(row.request));
    commits.set(name, await makeTree(daemon, String(row.workspace), written[name], row.commit_id !== null));
    writeFileSync(join(daemon.root, `${name}.yaml`), JSON.stringify({ name: "test", turns: turnsOf(name, false) }));
  }
  writeFileSync(join(shop.repository, "go"), "");
  const store = JSON.parse(here(kept, commits)) as OldStore;
  fill(join(daemon.paths.home, "sylk.db"), store);
  await daemon.restart();
  return { daemon, shop, ids: store.ids };
}

function nameOf(request: string): RunName {
  const name = runNames.find((candidate) => request === `Scene ${candidate}`);
  if (name === undefined) throw new Error(`no scene is called "${request}"`);
  return name;
}

/** As the old daemon left it: what was written is there, and committed where the run had got that far. */
async function makeTree(
  { paths, env }: ScratchDaemon,
  workspace: string,
  files: Readonly<Record<string, string>>,
  committed: boolean,
): Promise<string> {
  const clock = systemClock();
  const workspaces = createWorkspaces(createGit(clock, { ...env }), join(paths.home, "worktrees"), clock);
  const place = JSON.parse(workspace) as Parameters<typeof workspaces.ensure>[0];
  await workspaces.ensure(place);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place.tree, path)), { recursive: true });
    writeFileSync(join(place.tree, path), content);
  }
  return committed ? workspaces.commit(place, "kept") : place.baseCommit;
}

function fill(file: string, { schema, tables }: OldStore): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  const database = new Database(file);
  migrate(
    database,
    readMigrations().filter(({ number }) => number <= schema),
  );
  database.pragma("foreign_keys = OFF");
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      const names = Object.keys(row);
      database
        .prepare(`INSERT OR REPLACE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
        .run(Object.values(row));
    }
  database.close();
}
