import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lockHome } from "./lock-home.ts";
import { scratchFolder } from "./testkit.ts";

it("gives a home to one daemon at a time, and again once it is freed", () => {
  using folder = scratchFolder();
  const paths = { home: folder.path, lock: join(folder.path, "daemon.lock") };
  const first = lockHome(paths, "daemon");
  expect(() => lockHome(paths, "daemon")).toThrow(
    expect.objectContaining({ code: "daemon.already-running", details: { home: folder.path } }),
  );
  expect(() => lockHome(paths, "engine")).toThrow(/a daemon or an engine, has .*; close it first/);
  first.release();
  lockHome(paths, "daemon").release();
});

it("says that the store is unavailable where the lock's file cannot be opened", () => {
  using folder = scratchFolder();
  const lock = join(folder.path, "daemon.lock");
  mkdirSync(lock);
  expect(() => lockHome({ home: folder.path, lock }, "daemon")).toThrow(
    expect.objectContaining({ code: "store.unavailable" }),
  );
});
