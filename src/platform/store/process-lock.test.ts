import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takeProcessLock } from "./process-lock.ts";
import { scratchFolder } from "./testkit.ts";

it("is taken by one at a time and free again once given back", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "daemon.lock");
  const first = takeProcessLock(file);
  expect(first).toBeDefined();
  expect(takeProcessLock(file)).toBeUndefined();
  first?.release();
  const second = takeProcessLock(file);
  expect(second).toBeDefined();
  second?.release();
});

it("does not take a folder that is not there for a lock that is held", () => {
  using folder = scratchFolder();
  expect(() => takeProcessLock(join(folder.path, "missing", "daemon.lock"))).toThrow("directory does not exist");
});

it("knows that its file was removed or replaced: another process may hold the one that is there", () => {
  using folder = scratchFolder();
  const file = join(folder.path, "daemon.lock");
  const first = takeProcessLock(file)!;
  expect(first.isHeld()).toBe(true);
  rmSync(file);
  expect(first.isHeld()).toBe(false);
  const second = takeProcessLock(file)!;
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  first.release();
  expect(takeProcessLock(file), "the end of the first frees nothing of the second").toBeUndefined();
  second.release();
});
