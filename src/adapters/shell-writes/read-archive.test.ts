import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { namesInArchive } from "./read-archive.ts";

it("names the members of a tar, packed or not", () => {
  using folder = scratchFolder();
  mkdirSync(join(folder.path, "src"));
  writeFileSync(join(folder.path, "src/a.ts"), "x".repeat(2000));
  writeFileSync(join(folder.path, "b.ts"), "");
  for (const [file, letters] of [
    ["a.tar", "cf"],
    ["a.tgz", "czf"],
  ] as const) {
    execFileSync("tar", [letters, file, "src", "b.ts"], { cwd: folder.path });
    expect(namesInArchive(join(folder.path, file))).toEqual(["src/", "src/a.ts", "b.ts"]);
  }
});

it("knows nothing of what is not there, not an archive, or broken", () => {
  using folder = scratchFolder();
  const put = (name: string, bytes: string | Buffer): string => {
    writeFileSync(join(folder.path, name), bytes);
    return join(folder.path, name);
  };
  expect(namesInArchive(join(folder.path, "none.tar"))).toBeUndefined();
  expect(namesInArchive(folder.path)).toBeUndefined();
  expect(namesInArchive(put("text.tar", "not an archive ".repeat(100)))).toBeUndefined();
  expect(namesInArchive(put("broken.tgz", Buffer.from([0x1f, 0x8b, 1, 2, 3])))).toBeUndefined();
  expect(namesInArchive(put("broken.zip", "PK\u0003\u0004 cut"))).toBeUndefined();
  expect(namesInArchive(put("large.tar", Buffer.alloc(2 * 1024 * 1024)))).toBeUndefined();
});
