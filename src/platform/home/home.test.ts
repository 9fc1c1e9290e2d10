import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../store/testkit.ts";
import {
  ensureUserToken,
  homePaths,
  prepareHome,
  checkSocketFolder,
  readDaemonRecord,
  readServedBy,
  readUserToken,
  removeDaemonRecord,
  writeDaemonRecord,
  writeServedBy,
  type DaemonRecord,
} from "./index.ts";

const modeOf = (file: string) => statSync(file).mode & 0o777;

it("keeps everything in SYLK_HOME, and in ~/.sylk where that is not set or empty", () => {
  const { home, database, socket, token, logs } = homePaths({ SYLK_HOME: "/srv/sylk" });
  expect([home, database, socket, token, logs]).toEqual([
    "/srv/sylk",
    "/srv/sylk/sylk.db",
    "/srv/sylk/sylk.sock",
    "/srv/sylk/token",
    "/srv/sylk/log",
  ]);
  for (const env of [{}, { SYLK_HOME: "" }]) expect(homePaths(env).home).toBe(join(homedir(), ".sylk"));
});

it("moves the socket, and only the socket, to a short path where the home's own would be too long", () => {
  const long = `/srv/${"deep/".repeat(30)}`;
  const [one, same, other] = [`${long}one`, `${long}one/`, `${long}other`].map((home) =>
    homePaths({ SYLK_HOME: home }),
  );
  expect(Buffer.byteLength(one!.socket)).toBeLessThanOrEqual(100);
  expect(one!.socket).toBe(same!.socket);
  expect(one!.socket).not.toBe(other!.socket);
  expect(one!.database).toBe(`${long}one/sylk.db`);
});

it("keeps a socket in its home up to 100 bytes, counted as bytes", () => {
  const homeOf = (bytes: number) => `/${"x".repeat(bytes - "/".length - "/sylk.sock".length)}`;
  expect(homePaths({ SYLK_HOME: homeOf(100) }).socket).toBe(`${homeOf(100)}/sylk.sock`);
  expect(homePaths({ SYLK_HOME: homeOf(101) }).socket).not.toContain("x");
  const umlauts = homeOf(100).replaceAll("x", "ü");
  expect(homePaths({ SYLK_HOME: umlauts }).socket).not.toContain("ü");
});

it("makes the user's token once, readable by the user alone [CORE-20]", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "token");
  expect(readUserToken(file)).toBeUndefined();
  const token = ensureUserToken(file);
  expect(token).toMatch(/^sylk_usr_[\w-]{43}$/);
  expect([ensureUserToken(file), readUserToken(file)]).toEqual([token, token]);
  expect(modeOf(file)).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(["token"]);
});

it("takes a token's file back from other readers, and replaces one that is empty", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "token");
  writeFileSync(file, "\n");
  const token = ensureUserToken(file);
  expect(token).toMatch(/^sylk_usr_/);
  chmodSync(file, 0o644);
  expect(ensureUserToken(file)).toBe(token);
  expect(modeOf(file)).toBe(0o600);
});

it("makes another token for every home", () => {
  using folder = scratchFolder();
  const tokens = ["a", "b", "c"].map((name) => ensureUserToken(join(folder.path, name)));
  expect(new Set(tokens).size).toBe(3);
});

it("says what the daemon wrote of itself, and nothing where the record is absent or torn", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "daemon.json");
  const record: DaemonRecord = {
    pid: 7,
    version: "0.1.0",
    protocol: 1,
    socket: "/srv/sylk.sock",
    url: null,
    startedAt: 1,
  };
  expect(readDaemonRecord(file)).toBeUndefined();
  writeDaemonRecord(file, { ...record, pid: 6 });
  writeDaemonRecord(file, record);
  expect(readDaemonRecord(file)).toEqual(record);
  expect([modeOf(file), readdirSync(folder.path)]).toEqual([0o600, ["daemon.json"]]);
  writeFileSync(file, readFileSync(file, "utf8").slice(0, 10));
  expect(readDaemonRecord(file)).toBeUndefined();
  writeDaemonRecord(file, { ...record, pid: 8 });
  removeDaemonRecord(file, 7);
  expect(readDaemonRecord(file), "that of a daemon that took over stays").toMatchObject({ pid: 8 });
  removeDaemonRecord(file, 8);
  removeDaemonRecord(file, 8);
  expect(readdirSync(folder.path)).toEqual([]);
});

it("remembers which version served last, whole or not at all [CORE-18]", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "served-by");
  expect(readServedBy(file)).toBeUndefined();
  writeServedBy(file, "0.8.0");
  writeServedBy(file, "0.9.0");
  writeServedBy(file, "0.9.0");
  expect([readServedBy(file), modeOf(file), readdirSync(folder.path)]).toEqual(["0.9.0", 0o600, ["served-by"]]);
  writeFileSync(file, "\n");
  expect(readServedBy(file)).toBeUndefined();
});

it("trusts a home of its own, and a socket's folder outside of it only when it is closed to others [CORE-17]", () => {
  using folder = scratchFolder();
  const [home, outside] = [join(folder.path, "home"), join(folder.path, "run")];
  const paths = { home, socket: join(outside, "x.sock") };
  checkSocketFolder(paths);
  mkdirSync(outside, { mode: 0o700 });
  prepareHome(home);
  checkSocketFolder(paths);
  chmodSync(outside, 0o750);
  expect(() => checkSocketFolder(paths)).toThrow("other users may enter it");
  checkSocketFolder({ home, socket: join(home, "sylk.sock") });
});

it("closes a home of its own to other users, with the files that it made, and says so once", () => {
  using folder = scratchFolder();
  const home = join(folder.path, "home");
  mkdirSync(join(home, "log"), { recursive: true });
  for (const file of ["token", "sylk.db", "log/daemon.log", "mine.sh"])
    writeFileSync(join(home, file), "", { mode: 0o755 });
  chmodSync(home, 0o755);
  expect(prepareHome(home)).toBe(`${home} was open to other users; its mode is now 700`);
  expect(prepareHome(home)).toBeUndefined();
  expect([home, join(home, "log")].map(modeOf)).toEqual([0o700, 0o700]);
  expect(["token", "sylk.db", "log/daemon.log"].map((file) => modeOf(join(home, file)))).toEqual([0o600, 0o600, 0o600]);
  expect(modeOf(join(home, "mine.sh")), "not ours to change").toBe(0o755);
});

it("refuses a home in which every user may write, and leaves its mode alone", () => {
  using folder = scratchFolder();
  const home = join(folder.path, "home");
  mkdirSync(home);
  chmodSync(home, 0o1777);
  expect(() => prepareHome(home)).toThrow("every user may write in it");
  expect(modeOf(home)).toBe(0o777);
});

it("makes a home with the folders above it, or fails at once where the file system refuses", () => {
  using folder = scratchFolder();
  const home = join(folder.path, "a/b/home");
  prepareHome(home);
  expect(modeOf(home)).toBe(0o700);
  writeFileSync(join(folder.path, "file"), "");
  expect(() => prepareHome(join(folder.path, "file/home"))).toThrow(/ENOTDIR|EEXIST/);
  if (process.platform === "linux") expect(() => prepareHome("/proc/nope/home")).toThrow(/ENOENT|EACCES|EPERM/);
});
