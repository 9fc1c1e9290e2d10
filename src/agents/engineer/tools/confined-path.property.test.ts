import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { confinedPath } from "./confined-path.ts";

const part = fc.constantFrom(
  "..",
  ".",
  "",
  "src",
  "a.ts",
  "new",
  "out",
  "in",
  "dangling",
  ".git",
  "up",
  "~",
  "\\",
  "%2e%2e",
);
const wanted = fc
  .tuple(fc.constantFrom("", "/", "./", "../"), fc.array(part, { maxLength: 7 }))
  .map(([start, parts]) => start + parts.join("/"));

it("never leads anybody outside of the tree or into git's own files, whatever was asked for [RUN-3]", async () => {
  using folder = scratchFolder();
  const tree = join(folder.path, "tree");
  mkdirSync(join(tree, "src", "new"), { recursive: true });
  mkdirSync(join(folder.path, "outside"));
  writeFileSync(join(tree, "src/a.ts"), "");
  for (const [name, target] of Object.entries({
    out: "../outside",
    in: "src",
    dangling: "../outside/none",
    up: "..",
    "src/up": "../..",
  }))
    symlinkSync(target, join(tree, name));
  await fc.assert(
    fc.asyncProperty(wanted, async (path) => {
      const place = await confinedPath(tree, path).catch(() => undefined);
      if (place === undefined) return;
      expect(place.file).toBe(join(tree, place.path));
      expect(realOf(place.file).startsWith(tree + sep) || realOf(place.file) === tree).toBe(true);
      expect(place.path.split("/")).not.toContain("..");
      expect(place.path.split("/")).not.toContain(".git");
    }),
    { numRuns: 2_000 },
  );
});

/** Independent of the code under test: the nearest ancestor that is there, by the kernel's own word. */
function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return realOf(dirname(file));
  }
}
