import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../orchestration/sessions/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createGit } from "./run-git.ts";
import { env, world } from "./testkit.ts";
import { createWorkspaces } from "./workspaces.ts";

const filesOf = ({ tree }: Workspace) =>
  readdirSync(tree)
    .filter((name) => name !== ".git")
    .sort();
const whole = [".gitignore", "a.txt", "sub"];

it("keeps a private index in git's folder of the worktree, so a kill leaves none in the temporary folder", async () => {
  using at = await world();
  const clock = systemClock();
  const git = createGit(clock, env);
  const indexes: string[] = [];
  const watched: typeof git = (tree, args, options) => {
    indexes.push(options?.env?.GIT_INDEX_FILE ?? "");
    return git(tree, args, options);
  };
  await at.workspaces.ensure(at.workspace);
  const { tree } = at.workspace;
  await createWorkspaces(watched, dirname(tree), clock).contentHash(tree);
  const own = (await git(tree, ["rev-parse", "--absolute-git-dir"])).trim();
  const used = indexes.filter((file) => file !== "");
  expect([used.length > 0, used.filter((file) => !file.startsWith(`${own}/sylk-index-`))]).toEqual([true, []]);
  mkdirSync(join(own, "sylk-index-killed"));
  await at.workspaces.quarantine(at.workspace);
  expect(existsSync(own)).toBe(false);
});

it("clears a tree once, although two that know of the merge clear it at the same time", async () => {
  using at = await world();
  await at.workspaces.ensure(at.workspace);
  const clock = systemClock();
  const other = createWorkspaces(createGit(clock, env), dirname(at.workspace.tree), clock);
  const cleared = await Promise.all(
    [at.workspaces, other, at.workspaces, other].map((one) => one.clear(at.workspace, at.workspace.baseCommit)),
  );
  expect(cleared).toEqual(Array.from({ length: 4 }, () => ({ kept: undefined })));
  expect([existsSync(at.workspace.tree), at.git("branch", "--list", "sylk/*")]).toEqual([false, ""]);
});

describe("prepare", () => {
  it("changes nothing, and tells of uncommitted work that stays behind [RUN-11]", async () => {
    using at = await world();
    expect([at.notice, existsSync(at.workspace.tree), at.git("branch", "--list")]).toEqual([
      undefined,
      false,
      "* main",
    ]);
    expect(at.workspace).toMatchObject({
      branch: "sylk/run-1",
      baseCommit: at.git("rev-parse", "HEAD"),
      repository: at.repository,
    });
    at.put("a.txt", "edited\n");
    const { notice } = await at.workspaces.prepare({ repository: at.repository, name: "run-2" });
    expect(notice).toMatch(/1 uncommitted change of your tree/);
  });

  it("refuses a folder without git and a repository without a commit, with the way out [RUN-11]", async () => {
    using folder = scratchFolder();
    const clock = systemClock();
    const workspaces = createWorkspaces(createGit(clock, env), join(folder.path, "trees"), clock);
    const prepare = () => workspaces.prepare({ repository: folder.path, name: "run-1" });
    await expect(prepare()).rejects.toMatchObject({
      code: "workspace.unavailable",
      message: expect.stringContaining("git init"),
    });
    execFileSync("git", ["init", "--quiet"], { cwd: folder.path, env });
    await expect(prepare()).rejects.toMatchObject({
      code: "workspace.unavailable",
      message: expect.stringContaining("commit once"),
    });
  });
});

describe("ensure", () => {
  it("makes tree and branch once; called again it leaves what was written there", async () => {
    using at = await world();
    await at.workspaces.ensure(at.workspace);
    expect(filesOf(at.workspace)).toEqual(whole);
    at.put("new.txt", "new\n", at.workspace.tree);
    await at.workspaces.ensure(at.workspace);
    await at.workspaces.ensure(at.workspace);
    expect(filesOf(at.workspace)).toEqual([".gitignore", "a.txt", "new.txt", "sub"]);
    expect(at.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  /** What a kill at each step of the making leaves. */
  const halves: Readonly<Record<string, (at: Awaited<ReturnType<typeof world>>) => void>> = {
    "only the branch": ({ git, workspace }) => git("branch", workspace.branch, workspace.baseCommit),
    "an empty folder": ({ workspace }) => mkdirSync(workspace.tree, { recursive: true }),
    "a tree without any file, as git locks it": ({ git, workspace }) => {
      git(
        "worktree",
        "add",
        "--quiet",
        "--no-checkout",
        "--lock",
        "-b",
        workspace.branch,
        workspace.tree,
        workspace.baseCommit,
      );
    },
    "a tree with some of its files": ({ git, workspace }) => {
      git("worktree", "add", "--quiet", "-b", workspace.branch, workspace.tree, workspace.baseCommit);
      rmSync(join(workspace.tree, "sub"), { recursive: true });
    },
    "git's record of a tree that is not there": ({ git, workspace }) => {
      git("worktree", "add", "--quiet", "-b", workspace.branch, workspace.tree, workspace.baseCommit);
      rmSync(workspace.tree, { recursive: true });
    },
    "a tree whose record in git is gone": ({ git, workspace, repository }) => {
      git("worktree", "add", "--quiet", "-b", workspace.branch, workspace.tree, workspace.baseCommit);
      rmSync(join(repository, ".git", "worktrees"), { recursive: true });
    },
  };

  it.each(Object.keys(halves))("makes a whole one of %s", async (name) => {
    using at = await world();
    halves[name]!(at);
    await at.workspaces.ensure(at.workspace);
    expect(filesOf(at.workspace)).toEqual(whole);
    expect(at.git("-C", at.workspace.tree, "status", "--porcelain")).toBe("");
    expect(at.git("-C", at.workspace.tree, "branch", "--show-current")).toBe(at.workspace.branch);
    await at.workspaces.ensure(at.workspace);
  });

  it("deletes nothing of a tree that lost its link to git: it is put aside", async () => {
    using at = await world();
    await at.workspaces.ensure(at.workspace);
    at.put("precious.txt", "mine\n", at.workspace.tree);
    rmSync(join(at.repository, ".git", "worktrees"), { recursive: true });
    await at.workspaces.ensure(at.workspace);
    expect(filesOf(at.workspace)).toEqual(whole);
    expect(readFileSync(join(`${at.workspace.tree}.incomplete-1`, "precious.txt"), "utf8")).toBe("mine\n");
  });

  it("takes away a lock that a killed git left long ago, and no fresh one", async () => {
    using at = await world();
    await at.workspaces.ensure(at.workspace);
    const own = at.git("-C", at.workspace.tree, "rev-parse", "--absolute-git-dir");
    const [old, fresh] = [join(own, "index.lock"), join(own, "HEAD.lock")];
    for (const lock of [old, fresh]) writeFileSync(lock, "");
    utimesSync(old, 1_000, 1_000);
    await at.workspaces.ensure(at.workspace);
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  });
});

describe("content", () => {
  it("has the same identity for the same files, another for any edit, and is not moved by a commit [RUN-6]", async () => {
    using at = await world();
    const { tree } = at.workspace;
    await at.workspaces.ensure(at.workspace);
    const base = await at.workspaces.contentHash(tree);
    at.put("new.txt", "new\n", tree);
    const edited = await at.workspaces.contentHash(tree);
    expect(edited).not.toBe(base);
    const commit = await at.workspaces.commit(at.workspace, "change");
    expect([await at.workspaces.contentHash(tree), await at.workspaces.commit(at.workspace, "again")]).toEqual([
      edited,
      commit,
    ]);
    expect(at.git("-C", tree, "status", "--porcelain")).toBe("");
    rmSync(join(tree, "new.txt"));
    expect(await at.workspaces.contentHash(tree)).toBe(base);
    at.put("ignored/x", "x", tree);
    expect(await at.workspaces.contentHash(tree)).toBe(base);
  });

  it("is compared with the base commit, and files of the base commit stay readable [RUN-6]", async () => {
    using at = await world();
    const { tree } = at.workspace;
    await at.workspaces.ensure(at.workspace);
    at.put("a.txt", "changed\n", tree);
    at.put("über drüben.txt", "new\n", tree);
    rmSync(join(tree, "sub"), { recursive: true });
    await at.workspaces.commit(at.workspace, "change");
    expect(await at.workspaces.changes(at.workspace)).toEqual([
      { kind: "modified", path: "a.txt" },
      { kind: "deleted", path: "sub/b.txt" },
      { kind: "added", path: "über drüben.txt" },
    ]);
    expect(await at.workspaces.baseFile(at.workspace, "a.txt")).toBe("a\n");
    expect(await at.workspaces.baseFile(at.workspace, "none.txt")).toBeUndefined();
    const { files, patch, truncated } = await at.workspaces.diff(at.workspace);
    expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
      ["a.txt", 1, 1],
      ["sub/b.txt", 0, 1],
      ["über drüben.txt", 1, 0],
    ]);
    expect([patch.includes("+changed"), truncated]).toEqual([true, false]);
  });

  it("leaves out what a check wrote, also one that was killed, and never what an Engineer wrote", async () => {
    using at = await world();
    const { tree } = at.workspace;
    const { workspaces } = at;
    await workspaces.ensure(at.workspace);
    at.put("engineer.txt", "mine\n", tree);
    const before = await workspaces.contentHash(tree);
    const check = (run: string) =>
      workspaces.leaveOutNewFiles(at.workspace, async () => {
        at.put("coverage/über.json", run, tree);
        at.put("report.txt", run, tree);
      });
    await check("1");
    await check("2");
    at.put("src/__pycache__/a.pyc", "x", tree); // by tests that an Engineer ran
    expect(await workspaces.contentHash(tree)).toBe(before);
    // A worker dies in the middle of a check; the next one opens the tree.
    await expect(
      workspaces.leaveOutNewFiles(at.workspace, async () => {
        at.put("half.txt", "half", tree);
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    const own = at.git("-C", tree, "rev-parse", "--absolute-git-dir");
    rmSync(join(own, "sylk-left-out.json"));
    writeFileSync(join(own, "sylk-before-check"), before);
    await workspaces.ensure(at.workspace);
    expect(await workspaces.contentHash(tree)).toBe(before);
    at.put("report.txt", "an Engineer's own\n", tree);
    expect((await workspaces.changes(at.workspace)).map(({ path }) => path)).toEqual(["engineer.txt", "report.txt"]);
    expect(existsSync(join(tree, "coverage/über.json"))).toBe(true);
  });

  it("starts no program that a repository inside the tree names", async () => {
    using at = await world();
    const { tree } = at.workspace;
    await at.workspaces.ensure(at.workspace);
    const [nested, started] = [join(tree, "nested"), join(at.folder.path, "started")];
    at.put("nested/file", "x\n", tree);
    at.put("evil.sh", `#!/bin/sh\necho started >> ${started}\n`, tree);
    chmodSync(join(tree, "evil.sh"), 0o755);
    const inside = (...args: readonly string[]) => at.git("-C", nested, ...args);
    inside("init", "--quiet");
    inside("add", "--all");
    inside("commit", "--quiet", "--message", "nested");
    for (const name of ["core.fsmonitor", "filter.evil.clean"]) inside("config", name, join(tree, "evil.sh"));
    at.put("nested/.gitattributes", "* filter=evil\n", tree);
    at.put("nested/file", "changed\n", tree);
    await at.workspaces.commit(at.workspace, "with a repository inside");
    await at.workspaces.diff(at.workspace);
    await at.workspaces.quarantine(at.workspace);
    expect(existsSync(started)).toBe(false);
  });

  it("of a run that never got a tree is no change at all", async () => {
    using at = await world();
    expect(await at.workspaces.diff(at.workspace)).toEqual({ files: [], patch: "", truncated: false });
  });
});

describe("quarantine", () => {
  it("keeps everything and can be repeated after a crash at each of its steps [RUN-9]", async () => {
    for (const step of ["nothing", "the reference", "the tree"]) {
      using at = await world();
      const { tree, branch } = at.workspace;
      await at.workspaces.ensure(at.workspace);
      at.put("new.txt", "new\n", tree);
      const commit = await at.workspaces.commit(at.workspace, "change");
      at.put("later.txt", "later\n", tree);
      if (step !== "nothing") at.git("update-ref", "refs/sylk/quarantine/run-1", commit);
      if (step === "the tree") at.git("worktree", "remove", "--force", tree);
      const { reference } = await at.workspaces.quarantine(at.workspace);
      expect([reference, existsSync(tree), at.git("branch", "--list", branch)], step).toEqual([
        "refs/sylk/quarantine/run-1",
        false,
        "",
      ]);
      expect(at.git("show", `${reference}:new.txt`)).toBe("new");
      if (step !== "the tree") expect(at.git("show", `${reference}:later.txt`)).toBe("later");
      expect((await at.workspaces.quarantine(at.workspace)).reference).toBe(reference);
      expect(at.git("show", `${reference}:new.txt`)).toBe("new");
    }
  });

  it("of a run that never got a tree keeps its base commit [RUN-9]", async () => {
    using at = await world();
    const { reference } = await at.workspaces.quarantine(at.workspace);
    expect(at.git("rev-parse", reference)).toBe(at.workspace.baseCommit);
  });
});
