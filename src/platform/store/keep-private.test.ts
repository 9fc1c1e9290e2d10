import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepPrivate } from "./keep-private.ts";
import { scratchFolder } from "./testkit.ts";

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

it("makes a new file for this user alone, and takes others' rights away from an old one and its log [CORE-20]", () => {
  using folder = scratchFolder();
  const [fresh, old] = [join(folder.path, "fresh.db"), join(folder.path, "old.db")];
  for (const file of [old, `${old}-wal`]) {
    writeFileSync(file, "kept");
    chmodSync(file, 0o644);
  }
  keepPrivate(fresh);
  keepPrivate(old);
  expect([fresh, old, `${old}-wal`].map(modeOf)).toEqual(["600", "600", "600"]);
  expect([statSync(old).size, existsSync(`${fresh}-wal`)]).toEqual([4, false]);
});

it("leaves it to SQLite to tell that there is no such folder", () => {
  using folder = scratchFolder();
  keepPrivate(join(folder.path, "none", "sylk.db"));
  expect(existsSync(join(folder.path, "none"))).toBe(false);
});
