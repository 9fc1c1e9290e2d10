import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../../../test/flows/until.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createGit } from "../git/index.ts";
import { createTreeWatcher } from "./tree-watcher.ts";

it("tells of files that are written, replaced, made and removed beside the named ones, and of nothing below [GIT-10]", async () => {
  using world = opened();
  world.write("src/a.ts", "src/deep/b.ts");
  expect(await world.watch({ paths: ["src/a.ts"] })).toEqual([]);
  world.write("src/deep/b.ts");
  world.write("src/a.ts");
  await world.heard("src/a.ts");
  writeFileSync(join(world.tree, "src", "a.ts.tmp"), "2");
  renameSync(join(world.tree, "src", "a.ts.tmp"), join(world.tree, "src", "a.ts"));
  await world.heard("src/a.ts.tmp");
  rmSync(join(world.tree, "src", "a.ts"));
  await world.heard("src/a.ts");
  expect(world.paths()).not.toContain("src/deep/b.ts");
});

it("watches folders with all below them, new ones too, without what git ignores [GIT-10]", async () => {
  using world = opened();
  world.write("src/deep/b.ts", "node_modules/x/index.js", "other/.git/HEAD", "other/inside/c.ts");
  writeFileSync(join(world.tree, ".gitignore"), "node_modules/\n");
  expect(await world.watch({ folders: [""] })).toEqual([]);
  world.write("node_modules/x/index.js", "other/inside/c.ts", "src/deep/b.ts");
  await world.heard("src/deep/b.ts");
  world.write("src/made/later/d.ts");
  await until("the new folder is seen", () => world.folderNews() > 0);
  await world.watch({ folders: [""] });
  world.write("src/made/later/d.ts");
  await world.heard("src/made/later/d.ts");
  expect(world.paths().filter((path) => /^(node_modules|other\/inside)/.test(path))).toEqual([]);
});

it("sees a held file come whose folder was not there yet [GIT-10]", async () => {
  using world = opened();
  await world.watch({ paths: ["src/new/a.ts"] });
  mkdirSync(join(world.tree, "src"));
  await until("the folder is seen", () => world.folderNews() > 0);
  await world.watch({ paths: ["src/new/a.ts"] });
  world.write("src/new/a.ts");
  await until("the file is seen", async () => {
    await world.watch({ paths: ["src/new/a.ts"] });
    world.write("src/new/a.ts");
    return world.paths().includes("src/new/a.ts");
  });
  expect(world.paths().filter((path) => path !== "src/new/a.ts")).toEqual([]);
});

it("says how many folders are beyond its bound, and why one cannot be watched [GIT-10]", async () => {
  using world = opened({ mostFolders: 2 });
  world.write("a/x.ts", "b/x.ts", "c/x.ts");
  expect(await world.watch({ paths: ["a/x.ts", "b/x.ts", "c/x.ts"] })).toEqual([
    "1 folders are beyond the 2 that are watched at most",
  ]);
  expect(await world.watch({ folders: [""] })).toEqual([expect.stringContaining("more folders than are watched")]);
  rmSync(join(world.tree, ".git"), { recursive: true });
  expect(await world.watch({ paths: ["a/x.ts"], folders: ["b"] })).toEqual([expect.stringContaining("ls-files")]);
});

it("watches beside a named file at once, besides what it watches, within its bound [GIT-10]", async () => {
  using world = opened({ mostFolders: 2 });
  world.write("a/x.ts", "b/x.ts", "c/x.ts");
  await world.watch({ paths: ["a/x.ts"] });
  world.watcher.also(world.tree, ["b/x.ts", "c/x.ts"]);
  world.write("c/x.ts", "a/x.ts", "b/x.ts");
  await world.heard("a/x.ts");
  await world.heard("b/x.ts");
  expect(world.paths()).not.toContain("c/x.ts");
});

it("finds what changed since a moment, and named files that are gone, up to a bound [GIT-10]", async () => {
  using world = opened();
  const { tree, watcher } = world;
  world.write("src/old.ts", "src/deep/b.ts", "src/c.md", "node_modules/x/index.ts");
  writeFileSync(join(tree, ".gitignore"), "node_modules/\n");
  const asked = { tree, paths: ["src/gone.ts"], folders: [""], accepts: (path: string) => path.endsWith(".ts") };
  const all = await watcher.changedSince({ ...asked, since: 0, most: 10 });
  const times = new Map(all.changed.map(({ path, at }) => [path, at]));
  expect([[...times.keys()].toSorted(), all.isCut]).toEqual([["src/deep/b.ts", "src/gone.ts", "src/old.ts"], false]);
  const last = Math.max(...[...times.values()].flatMap((at) => at ?? []));
  const paths = async (since: number) =>
    (await watcher.changedSince({ ...asked, since, most: 10 })).changed.map(({ path }) => path);
  await until("the file system's time has moved", async () => {
    world.write("src/deep/b.ts");
    return (await paths(last + 1)).includes("src/deep/b.ts");
  });
  expect(await paths(last + 1)).toEqual(["src/gone.ts", "src/deep/b.ts"]);
  const cut = await watcher.changedSince({ ...asked, since: 0, most: 2 });
  expect([cut.changed.length, cut.isCut]).toEqual([2, true]);
  rmSync(join(tree, ".git"), { recursive: true });
  expect((await watcher.changedSince({ ...asked, folders: ["src"], since: 0, most: 9 })).changed).toHaveLength(1);
});

function opened(terms: { readonly mostFolders?: number } = {}) {
  const scratch = scratchFolder();
  const tree = join(scratch.path, "shop");
  mkdirSync(tree);
  execFileSync("git", ["init", "-q"], { cwd: tree });
  let seen: string[] = [];
  let folders = 0;
  const clock = systemClock();
  const git = createGit(clock, { PATH: process.env.PATH });
  const watcher = createTreeWatcher(
    { clock, git, ...terms },
    { onChange: (_tree, path) => void seen.push(path), onFolders: () => void folders++ },
  );
  return {
    tree,
    watcher,
    write(...paths: readonly string[]) {
      for (const path of paths) {
        mkdirSync(dirname(join(tree, path)), { recursive: true });
        writeFileSync(join(tree, path), "1");
      }
    },
    watch: ({ paths = [], folders: below = [] }: { paths?: string[]; folders?: string[] }) =>
      watcher.watch([{ tree, paths, folders: below }]),
    paths: () => seen,
    folderNews: () => folders,
    /** Waits until it was told, and begins anew. */
    async heard(path: string) {
      await until(`${path} is told`, () => seen.includes(path));
      seen = seen.filter((one) => one !== path);
    },
    [Symbol.dispose]() {
      watcher.stop();
      scratch[Symbol.dispose]();
    },
  };
}
