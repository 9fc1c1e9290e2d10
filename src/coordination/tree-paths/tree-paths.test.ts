import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { foldsCase, gitPath, spelling, treePath, treePattern } from "./index.ts";

type Scratch = Disposable & {
  readonly tree: string;
  file(path: string): void;
  link(path: string, target: string): void;
};

function scratchTree(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sylk-names-")));
  const tree = join(root, "shop");
  const make = (path: string): string => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    return join(tree, path);
  };
  mkdirSync(join(tree, ".git"), { recursive: true });
  mkdirSync(join(root, "elsewhere"));
  return {
    tree,
    file: (path) => writeFileSync(make(path), path),
    link: (path, target) => symlinkSync(target, make(path)),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

it("names a file by its place, whatever links and dots lead to it", () => {
  using scratch = scratchTree();
  const { tree, file, link } = scratch;
  file("lib/deep/a.ts");
  link("src/a.ts", "../lib/deep/a.ts");
  link("src/deep", "../lib/deep");
  const spellings = ["lib/deep/a.ts", "./lib//deep/./a.ts", "src/a.ts", "src/deep/a.ts", "src/../lib/deep/a.ts"];
  for (const spelled of [...spellings, join(tree, "src", "a.ts")])
    expect(treePath(spelled, tree)).toBe("lib/deep/a.ts");
  // The kernel follows the link before it takes the dots.
  expect(treePath("src/deep/../new.ts", tree)).toBe("lib/new.ts");
});

it("names a file that does not exist yet by its nearest folder, and a link to nothing by where it points", () => {
  using scratch = scratchTree();
  const { tree, file, link } = scratch;
  file("lib/a.ts");
  link("src", "lib");
  link("out.ts", "lib/made/later.ts");
  expect(treePath("src/new/b.ts", tree)).toBe("lib/new/b.ts");
  expect(treePath("out.ts", tree)).toBe("lib/made/later.ts");
});

it("gives nothing for what leads out, and a name of its own to links in a circle", () => {
  using scratch = scratchTree();
  const { tree, link } = scratch;
  link("out", "../elsewhere");
  link("dangling", "../elsewhere/new.ts");
  link("one", "two");
  link("two", "one");
  for (const path of ["../elsewhere/x", "out/x", "out", "dangling", "lib/../../elsewhere/x"])
    expect(treePath(path, tree)).toBeUndefined();
  expect([treePath("one", tree), treePath("two", tree)]).toEqual(["one", "two"]);
});

it("takes two spellings of a letter for one name, unless the disk has both", () => {
  using scratch = scratchTree();
  const { tree, file } = scratch;
  const [composed, apart] = ["caf\u00e9/a.ts", "cafe\u0301/a.ts"];
  expect(treePath(apart, tree)).toBe(composed);
  file(apart);
  expect([treePath(apart, tree), treePath(composed, tree), gitPath(apart, tree)]).toEqual([
    composed,
    composed,
    composed,
  ]);
  file(composed);
  expect([treePath(apart, tree), treePath(composed, tree), gitPath(apart, tree)]).toEqual([apart, composed, apart]);
});

it("resolves the folder in which a glob begins, and leaves a glob as it was written where nothing leads elsewhere", () => {
  using scratch = scratchTree();
  const { tree, file, link } = scratch;
  file("lib/[id]/a.ts");
  link("src", "lib");
  link("out", "../elsewhere");
  expect(treePattern("src/**", tree)).toBe("lib/**");
  expect(treePattern("src/[ab]/*.ts", tree)).toBe("lib/[ab]/*.ts");
  expect(treePattern("./x/../src/*.ts", tree)).toBe("lib/*.ts");
  expect(treePattern("src/\\[id\\]/a.ts", tree)).toBe("lib/\\[id\\]/a.ts");
  expect(treePattern("lib/@x/**", tree)).toBe("lib/@x/**");
  expect(treePattern("out/**", tree)).toBeUndefined();
});

it("compares names of a tree as its file system does", () => {
  using sensitive = scratchTree();
  expect(foldsCase(sensitive.tree)).toBe(false);
  expect(spelling("README.md", sensitive.tree)).toBe("README.md");
  using folding = scratchTree();
  // Seen from outside, a file system that takes both for one name looks like this.
  folding.link(".GIT", ".git");
  expect(foldsCase(folding.tree)).toBe(true);
  for (const [one, other] of [
    ["README.md", "readme.MD"],
    ["src/**/*.TS", "SRC/**/*.ts"],
    ["ΟΔΟΣ", "οδος"],
    ["cafe\u0301", "CAF\u00c9"],
  ] as const)
    expect(spelling(one, folding.tree)).toBe(spelling(other, folding.tree));
});
