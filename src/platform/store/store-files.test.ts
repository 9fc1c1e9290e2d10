import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { watchStoreFiles } from "./store-files.ts";
import { scratchFolder } from "./testkit.ts";

it.each(["sylk.db", "sylk.db-wal"])(
  "notices that %s was removed, moved or replaced, and that it is back [CORE-17]",
  (name) => {
    using folder = scratchFolder();
    const at = (file: string): string => join(folder.path, file);
    for (const file of ["sylk.db", "sylk.db-wal"]) writeFileSync(at(file), "kept");
    const check = watchStoreFiles(at("sylk.db"));
    check();
    const lost = `${name} was removed or replaced while the daemon ran`;
    renameSync(at(name), at("aside"));
    expect(check).toThrow(lost);
    writeFileSync(at(name), "kept");
    expect(check).toThrow(lost);
    rmSync(at(name));
    renameSync(at("aside"), at(name));
    check();
  },
);
