import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { confinedPath, OutOfBounds } from "./confined-path.ts";

/** A tree with links of every kind, and something outside that they want to reach. */
function world() {
  const folder = scratchFolder();
  const [tree, outside] = [join(folder.path, "tree"), join(folder.path, "outside")];
  mkdirSync(join(tree, "src"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(tree, "src/a.ts"), "a");
  writeFileSync(join(tree, ".git"), "gitdir: elsewhere");
  writeFileSync(join(outside, "secret"), "s");
  const links = {
    "to-outside": outside,
    "to-secret": join(outside, "secret"),
    dangling: join(outside, "new"),
    "to-src": "src",
    "to-a": "src/a.ts",
    "to-git": ".git",
    loop: "loop",
    chain: "to-outside",
    "dots-out": "../outside",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(tree, name));
  return { tree, outside, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("confinedPath", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src/../src/a.ts", "src/a.ts"],
    ["new/deep/file.ts", "new/deep/file.ts"],
    ["..file", "..file"],
    [".gitignore", ".gitignore"],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
    ["git~/notes", "git~/notes"],
    ["to-src/a.ts", "src/a.ts"],
    ["to-src/new.ts", "src/new.ts"],
    ["to-a", "src/a.ts"],
  ])("lets %j through, as where it really is: %j [RUN-3]", async (wanted, path) => {
    using at = world();
    expect(await confinedPath(at.tree, wanted)).toEqual({ path, file: join(at.tree, path) });
  });

  it.each([
    "..",
    "../outside/x",
    "src/../../outside/x",
    "/etc/passwd",
    "to-outside/x",
    "to-outside/secret",
    "to-secret",
    "dangling",
    "chain/x",
    "dots-out/secret",
    "to-outside/../outside/x\0",
    ".",
    "",
    "./",
    "src/..",
    ".git",
    ".git/config",
    ".GIT/config",
    ".g\u200cit/hooks/pre-commit",
    ".git\ufeff/config",
    ".git. /config",
    "GIT~1/config",
    "sub/.git/hooks/pre-commit",
    "to-git",
  ])("refuses %j [RUN-3]", async (wanted) => {
    using at = world();
    await expect(confinedPath(at.tree, wanted)).rejects.toThrow(OutOfBounds);
  });

  it("refuses a link to itself, and a path through a file", async () => {
    using at = world();
    await expect(confinedPath(at.tree, "loop")).rejects.toThrow("ELOOP");
    await expect(confinedPath(at.tree, "src/a.ts/b")).rejects.toThrow("ENOTDIR");
  });

  it("works in a tree that is itself reached through a link", async () => {
    using at = world();
    const link = join(at.outside, "tree-link");
    symlinkSync(at.tree, link);
    expect(await confinedPath(link, "src/a.ts")).toEqual({ path: "src/a.ts", file: join(at.tree, "src/a.ts") });
  });

  it("finds a place in a folder that a colleague makes at the same time [RUN-3]", async () => {
    using at = world();
    for (let round = 0; round < 200; round++) {
      const path = `new-${round}/a.ts`;
      const [found] = await Promise.all([
        confinedPath(at.tree, path),
        (async () => {
          for (let looks = 0; looks < round % 8; looks++) await stat(at.tree);
          mkdirSync(join(at.tree, dirname(path)));
        })(),
      ]);
      expect(found.path).toBe(path);
    }
  });
});
