/** The order in which a daemon starts and stops, seen from outside: its files, its socket, its log. */
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { homePaths, type HomePaths } from "../../platform/home/index.ts";
import { takeProcessLock } from "../../platform/store/index.ts";
import { scratchFolder, type ScratchFolder } from "../../platform/store/testkit.ts";
import "./build-daemon.ts"; // serve loads it late; here it is loaded before any test is timed
import { serve } from "./serve.ts";

function scratchHome(folder: ScratchFolder): HomePaths {
  return homePaths({ SYLK_HOME: join(folder.path, "home") });
}

function start(paths: HomePaths, onLocked?: () => void) {
  const env = { SYLK_HOME: paths.home, SYLK_HTTP_PORT: "0", HOME: paths.home };
  return serve({ paths, env, flags: {}, ...(onLocked === undefined ? {} : { onLocked }) });
}

/** Names of a folder's files in the order in which the kernel saw them come and go. */
function watched(folder: string): { readonly seen: string[]; settle(): Promise<void>; close(): void } {
  const seen: string[] = [];
  const watcher = watch(folder, (kind, name) => {
    if (kind === "rename" && name !== null) seen.push(`${existsSync(join(folder, name)) ? "+" : "-"}${name}`);
  });
  return {
    seen,
    async settle() {
      const last = `settled-${seen.length}`;
      writeFileSync(join(folder, last), "");
      while (!seen.includes(`+${last}`)) await new Promise((resolve) => setImmediate(resolve));
    },
    close: () => watcher.close(),
  };
}

function get(paths: HomePaths, path: string): Promise<{ status: number; body: string }> {
  const token = readFileSync(paths.token, "utf8").trim();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request({ socketPath: paths.socket, path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
}

function logged(paths: HomePaths): readonly string[] {
  return readdirSync(paths.logs)
    .filter((name) => name.startsWith("daemon") || name.endsWith(".log"))
    .flatMap((name) => readFileSync(join(paths.logs, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { event: string }).event);
}

it("locks the home, opens the store, trusts the token, writes its record and opens the socket, in this order", async () => {
  using folder = scratchFolder();
  const paths = scratchHome(folder);
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const home = watched(paths.home);
  let atLock: readonly string[] = [];
  const daemon = await start(paths, () => (atLock = readdirSync(paths.home)));
  await home.settle();
  const order = [paths.lock, paths.database, paths.token, paths.servedBy, paths.guards, paths.record, paths.socket].map(
    (path) => basename(path),
  );
  const firsts = order.map((name) => home.seen.findIndex((entry) => entry.startsWith(`+${name}`)));
  expect(firsts.every((at) => at >= 0)).toBe(true);
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  expect(atLock.every((name) => name.startsWith(basename(paths.lock)))).toBe(true);
  expect(JSON.parse((await get(paths, "/v1/audit?limit=10")).body)).toMatchObject({
    items: [{ action: "user-token.trusted" }],
  });
  daemon.stop();
  await daemon.stopped;
  home.close();
}, 30_000);

it("stops listening, closes the store, removes its record, and frees the home last", async () => {
  using folder = scratchFolder();
  const paths = scratchHome(folder);
  const daemon = await start(paths);
  expect(takeProcessLock(paths.lock)).toBeUndefined();
  const home = watched(paths.home);
  expect((await get(paths, "/v1/status")).status).toBe(200);
  daemon.stop();
  await daemon.stopped;
  await home.settle();
  home.close();
  const gone = home.seen.filter((entry) => entry.startsWith("-")).map((entry) => entry.slice(1));
  const wal = `${basename(paths.database)}-wal`;
  const order = [basename(paths.socket), wal, basename(paths.record)];
  expect(gone.filter((name) => order.includes(name))).toEqual(order);
  expect(logged(paths).filter((event) => /^daemon\.(started|stopping|stopped)$/.test(event))).toEqual([
    "daemon.started",
    "daemon.stopping",
    "daemon.stopped",
  ]);
  takeProcessLock(paths.lock)!.release();
}, 30_000);

it("writes what it kept in memory before it closes the store", async () => {
  using folder = scratchFolder();
  const paths = scratchHome(folder);
  const daemon = await start(paths);
  await get(paths, "/v1/status");
  daemon.stop();
  await daemon.stopped;
  const database = new Database(paths.database, { readonly: true });
  expect(database.prepare("SELECT count(*) AS n FROM health_components").get()).not.toEqual({ n: 0 });
  database.close();
}, 30_000);

it("leaves the home free, without record and socket, when a late step of the start fails", async () => {
  using folder = scratchFolder();
  const paths = scratchHome(folder);
  mkdirSync(paths.socket, { recursive: true });
  await expect(start(paths)).rejects.toMatchObject({ code: "daemon.start-failed" });
  expect(existsSync(paths.database)).toBe(true);
  expect(existsSync(paths.record)).toBe(false);
  takeProcessLock(paths.lock)!.release();
}, 30_000);
