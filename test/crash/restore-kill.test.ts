/** kill -9 in a restore: the home has the store from before or the restored one, whole, and a second restore goes through. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openSqliteStore, readMigrations, stoppedStore } from "../../src/platform/store/index.ts";
import { scratchFolder } from "../../src/platform/store/testkit.ts";
import { restoreScript } from "./restore-child.ts";

const rounds = 12;
const rows = 3_000;
const clock = systemClock();

it("leaves one whole store or the other, whatever the moment [CORE-13]", async () => {
  using folder = scratchFolder();
  const at = (name: string): string => join(folder.path, name);
  makeStore(at("old.db"), "old");
  makeStore(at("backup.db"), "new");
  const home = { database: at("sylk.db"), lock: at("daemon.lock") };
  const whole = await restoreFor(home, at("old.db"), at("backup.db"), undefined);
  expect(contentOf(home.database)).toEqual(["new", rows]);

  const left = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    await restoreFor(home, at("old.db"), at("backup.db"), (whole * round) / rounds);
    const [word, count] = contentOf(home.database);
    expect([["old", "new"].includes(String(word)), count], `killed in round ${round}`).toEqual([true, rows]);
    left.add(String(word));
    expect(stoppedStore().restore(home, at("backup.db"))).toBeDefined();
    expect(contentOf(home.database)).toEqual(["new", rows]);
  }
  expect(left.size, "some were killed before the rename").toBeGreaterThan(0);
  expect(left).toContain("old");
});

/** How long it took; killed after `killAfterMs` unless undefined. */
async function restoreFor(
  home: { readonly database: string; readonly lock: string },
  old: string,
  backup: string,
  killAfterMs: number | undefined,
): Promise<number> {
  for (const part of ["-wal", "-shm"]) rmSync(`${home.database}${part}`, { force: true });
  copyFileSync(old, home.database);
  if (existsSync(`${old}-wal`)) copyFileSync(`${old}-wal`, `${home.database}-wal`);
  const child = spawn(process.execPath, [restoreScript, home.database, home.lock, backup], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const begun = clock.monotonic();
  if (killAfterMs !== undefined) clock.after(killAfterMs, () => child.kill("SIGKILL"), { keepAlive: true });
  await ended;
  return clock.monotonic() - begun;
}

/** Half of it is still in the log, as a killed daemon leaves it. */
function makeStore(file: string, word: string): void {
  openSqliteStore({ file, migrations: readMigrations(), repositories: {} }).close();
  const connection = new Database(file);
  connection.pragma("journal_mode = WAL");
  const insert = connection.prepare("INSERT INTO projects (id, path, name, first_seen_at) VALUES (?, ?, ?, 1)");
  const fill = (from: number): void =>
    connection.transaction(() => {
      for (let row = from; row < from + rows / 2; row++)
        insert.run(`prj_${row}`, `/srv/${row}/${"x".repeat(300)}`, word);
    })();
  fill(0);
  connection.pragma("wal_checkpoint(TRUNCATE)");
  fill(rows / 2);
  copyFileSync(file, `${file}.copy`);
  copyFileSync(`${file}-wal`, `${file}.copy-wal`);
  connection.close();
  copyFileSync(`${file}.copy`, file);
  copyFileSync(`${file}.copy-wal`, `${file}-wal`);
}

function contentOf(file: string): readonly unknown[] {
  const connection = new Database(file);
  try {
    expect(connection.pragma("quick_check", { simple: true })).toBe("ok");
    return connection
      .prepare("SELECT min(name), count(*) FROM projects HAVING min(name) = max(name)")
      .raw()
      .get() as unknown[];
  } finally {
    connection.close();
  }
}
