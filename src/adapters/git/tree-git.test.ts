import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { createGit } from "./run-git.ts";
import { env, world } from "./testkit.ts";
import { createTreeGit } from "./tree-git.ts";

const clock = systemClock();
const treeGit = createTreeGit(createGit(clock, env), () => clock.monotonic());

/** On main: a.txt has uncommitted lines. The branch other changes sub/b.txt. */
async function twoBranches() {
  const at = await world();
  at.git("switch", "--quiet", "--create", "other");
  at.put("sub/b.txt", "other\n");
  at.git("commit", "--quiet", "--all", "--message", "two");
  at.git("switch", "--quiet", "main");
  appendFileSync(join(at.repository, "a.txt"), "uncommitted\n");
  const ask = (...args: string[]) => treeGit.touchedBy({ folder: at.repository, args });
  return { ...at, ask };
}

it.each([
  [["reset", "--hard"], ["a.txt"]],
  [
    ["reset", "--hard", "other"],
    ["a.txt", "sub/b.txt"],
  ],
  [["checkout", "other"], ["sub/b.txt"]],
  [
    ["checkout", "-f", "other"],
    ["a.txt", "sub/b.txt"],
  ],
  [["checkout", "--", "."], ["a.txt"]],
  [["switch", "other"], ["sub/b.txt"]],
  [
    ["restore", "--source=other", ":/"],
    ["a.txt", "sub/b.txt"],
  ],
  [["stash"], ["a.txt"]],
  [["merge", "other"], ["sub/b.txt"]],
  [
    ["merge", "--autostash", "other"],
    ["a.txt", "sub/b.txt"],
  ],
  [["cherry-pick", "other"], ["sub/b.txt"]],
  [
    ["read-tree", "-u", "--reset", "other"],
    ["a.txt", "sub/b.txt"],
  ],
  [
    ["sparse-checkout", "set", "x"],
    [".gitignore", "a.txt", "sub/b.txt"],
  ],
])("git %j changes %j", async (args, paths) => {
  using at = await twoBranches();
  const { paths: found, unknown } = await at.ask(...args);
  expect(found.toSorted()).toEqual(paths);
  expect(unknown).toBeUndefined();
});

it("takes new files for a stash that includes them, and for what clean would remove", async () => {
  using at = await twoBranches();
  at.put("new.txt", "new\n");
  at.put("ignored/x.txt", "x\n");
  expect((await at.ask("stash", "-u")).paths.toSorted()).toEqual(["a.txt", "new.txt"]);
  expect((await at.ask("stash", "--all")).paths.toSorted()).toEqual(["a.txt", "ignored/x.txt", "new.txt"]);
  expect((await at.ask("clean", "-fd")).paths).toEqual(["new.txt"]);
  expect((await at.ask("clean", "-fdx")).paths.toSorted()).toEqual(["ignored/", "new.txt"]);
});

it("gives the command that an alias stands for, a shell command from the root of the tree", async () => {
  using at = await twoBranches();
  at.git("config", "alias.undo", "reset --hard");
  at.git("config", "alias.wipe", "!rm -rf sub");
  expect(await at.ask("undo", "it's")).toEqual({
    paths: [],
    stands: { command: String.raw`git reset --hard 'it'\''s'`, folder: at.repository },
  });
  const inside = { folder: join(at.repository, "sub"), args: ["wipe"] };
  expect((await treeGit.touchedBy(inside)).stands).toEqual({ command: "rm -rf sub", folder: at.repository });
});

it("says unknown, never nothing, where git has no answer", async () => {
  using at = await twoBranches();
  expect(await at.ask("reset", "--hard", "nowhere")).toMatchObject({ paths: [], unknown: expect.any(String) });
  expect(await at.ask("frobnicate")).toMatchObject({ paths: [], unknown: "it is not a command of git" });
  expect(await at.ask("apply")).toMatchObject({ paths: [], unknown: "the patch comes from its input" });
  expect((await at.ask("pull")).unknown).toMatch(/the remote may have more/);
});

it("says unknown when git takes too long, and when the folder is not a repository", async () => {
  using at = await twoBranches();
  let now = 0;
  const slow = createTreeGit(createGit(clock, env), () => (now += 1_000));
  expect(await slow.touchedBy({ folder: at.repository, args: ["stash"] })).toEqual({
    paths: [],
    unknown: "git took too long to answer",
    isLate: true,
  });
  expect(await slow.changed(at.repository)).toBeUndefined();
  expect((await treeGit.touchedBy({ folder: at.folder.path, args: ["stash"] })).unknown).toMatch(
    /not a git repository/,
  );
});

it("lists what differs from HEAD and is new, without ignored files", async () => {
  using at = await twoBranches();
  at.put("sub/new name.txt", "new\n");
  at.put("ignored/x.txt", "x\n");
  expect((await treeGit.changed(at.repository))?.toSorted()).toEqual(["a.txt", "sub/new name.txt"]);
});
