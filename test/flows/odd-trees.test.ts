/**
 * Working trees in a state that surprises: hook, commit gate and `sylk commit` guard them as any other, or refuse with the way
 * out. Nothing of a file is ever lost, and nobody sees a crash.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  const { code, stderr } = await daemon.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  const template = treeAt(daemon.addRepository("template"));
  gate(template);
  for (const file of ["a.ts", "b.ts"]) template.write(file, "one\n");
  template.git("add", ".");
  template.git("commit", "-qm", "one");
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Tree = {
  readonly path: string;
  git(...args: readonly string[]): string;
  write(file: string | Buffer, text: string): void;
};

/** A repository with the gate of the first one, and a commit of two files. */
function repositoryOf(name: string): Tree {
  const path = join(daemon.root, name);
  cpSync(join(daemon.root, "template"), path, { recursive: true });
  return treeAt(path);
}

function treeAt(path: string): Tree {
  return {
    path,
    git: (...args) => gitIn(path, args).stdout.trim(),
    write(file, text) {
      const place = Buffer.concat([Buffer.from(`${path}/`), Buffer.from(file)]);
      mkdirSync(dirname(place.toString("latin1")), { recursive: true });
      writeFileSync(place, text);
    },
  };
}

function gate({ git }: Tree): void {
  git("config", "core.hooksPath", join(daemon.repository, ".git", "hooks"));
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@sylk.invalid");
}

function gitIn(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd, encoding: "utf8", env: { ...daemon.env, GIT_EDITOR: ":", ...env } } as const;
  return spawnSync("git", ["-c", "protocol.file.allow=always", ...args], options);
}

function onDetachedHead(): Tree {
  const tree = repositoryOf("detached");
  tree.git("checkout", "-q", "--detach");
  return tree;
}

/** a.ts was changed on both sides; the conflict is resolved and not committed. */
function torn(name: string, begin: "merge" | "rebase"): Tree {
  const tree = repositoryOf(name);
  tree.git("switch", "-qc", "side");
  tree.write("a.ts", "side\n");
  tree.git("commit", "-qam", "side");
  tree.git("switch", "-q", "-");
  tree.write("a.ts", "main\n");
  tree.git("commit", "-qam", "main");
  tree.git(begin, "side");
  tree.write("a.ts", "both\n");
  tree.git("add", "a.ts");
  return tree;
}

function inSubmodule(): Tree {
  const outer = repositoryOf("outer");
  outer.git("submodule", "--quiet", "add", repositoryOf("inner").path, "part");
  const part = treeAt(join(outer.path, "part"));
  gate(part);
  return part;
}

function besideBare(): Tree {
  const source = repositoryOf("source");
  const bare = join(daemon.root, "shop.git");
  source.git("clone", "-q", "--bare", source.path, bare);
  gate(treeAt(bare));
  const path = join(daemon.root, "beside");
  treeAt(bare).git("worktree", "add", "-q", "-b", "beside", path);
  return treeAt(path);
}

function sessionIn({ path }: Tree, session: string, env: Readonly<Record<string, string>> = {}) {
  const settings = join(daemon.repository, ".claude", "settings.local.json");
  return hookClient({ session, repository: path, env: { ...daemon.env, ...env }, settings });
}

const states: Readonly<Record<string, { readonly open: () => Tree; readonly refused?: RegExp }>> = {
  "on a detached HEAD": { open: onDetachedHead, refused: /git switch -c/ },
  "amid a merge": { open: () => torn("merging", "merge"), refused: /git merge --abort/ },
  "amid a rebase": { open: () => torn("rebasing", "rebase"), refused: /git rebase --continue/ },
  "in a submodule": { open: inSubmodule },
  "in a worktree of a bare repository": { open: besideBare },
};

describe.each(Object.entries(states))("%s", (name, { open, refused }) => {
  it("an edit is held, the gate keeps others out, and sylk commit commits or says why not [ADPT-2, GIT-4]", async () => {
    const tree = open();
    const session = (key: string) => sessionIn(tree, `${key} ${name}`);
    expect(await session("one").edit("b.ts")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await session("two").edit("b.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("is held by") });

    tree.write("b.ts", "one\ntwo\n");
    tree.git("add", "b.ts");
    const commit = (key: string) =>
      gitIn(tree.path, ["commit", "-qm", "two"], { CLAUDE_CODE_SESSION_ID: `${key} ${name}` });
    expect(commit("two")).toMatchObject({ status: 1, stderr: expect.stringContaining("reservation.conflict") });
    const { items } = await daemon.clientOf({ project: tree.path }).call("reservation.list", {});
    const own = daemon.clientOf({ project: tree.path, actAs: items[0]!.holder.id });
    const made = own.call("commit.create", { message: "two", paths: ["b.ts"] });
    if (refused === undefined) expect((await made).paths).toEqual(["b.ts"]);
    else {
      await expect(made).rejects.toMatchObject({
        code: "commit.not-possible",
        message: expect.stringMatching(refused),
      });
      expect(commit("one")).toMatchObject({ status: 0, stderr: "" });
    }
    expect(readFileSync(join(tree.path, "b.ts"), "utf8")).toBe("one\ntwo\n");
    expect(tree.git("show", "HEAD:b.ts")).toBe("one\ntwo");
  });
});

describe("names", () => {
  const committed = (tree: Tree) =>
    spawnSync("git", ["ls-tree", "-r", "-z", "--name-only", "HEAD"], { cwd: tree.path, encoding: "latin1" }).stdout;

  it("that differ in case only are two files where the file system says so, for holds and commits [GIT-4]", async () => {
    const tree = repositoryOf("cases");
    const [heron, otter] = [
      await daemon.register("case-heron", { project: tree.path }),
      await daemon.register("case-otter", { project: tree.path }),
    ];
    await heron.client.call("reservation.acquire", { paths: ["src/a.ts"] });
    await otter.client.call("reservation.acquire", { paths: ["Src/A.ts"] });
    tree.write("src/a.ts", "lower\n");
    tree.write("Src/A.ts", "upper\n");
    expect((await otter.client.call("commit.create", { message: "upper" })).paths).toEqual(["Src/A.ts"]);
    tree.git("add", ".");
    const asOtter = gitIn(tree.path, ["commit", "-qm", "lower"], { SYLK_AGENT: "case-otter" });
    expect(asOtter).toMatchObject({ status: 1, stderr: expect.stringContaining('"src/a.ts" is held by case-heron') });
    expect((await heron.client.call("commit.create", { message: "lower" })).paths).toEqual(["src/a.ts"]);
    expect([tree.git("show", "HEAD:src/a.ts"), tree.git("show", "HEAD:Src/A.ts")]).toEqual(["lower", "upper"]);
  });

  it("that are no UTF-8 go through the gate and sylk commit byte for byte [GIT-1, GIT-4]", async () => {
    const tree = repositoryOf("bytes");
    const otter = await daemon.register("byte-otter", { project: tree.path });
    const [first, second] = [Buffer.from([0x66, 0xff, 0x2e, 0x74]), Buffer.from([0x67, 0xfe, 0x0a, 0x74])];
    tree.write(first, "by git\n");
    tree.git("add", ".");
    expect(gitIn(tree.path, ["commit", "-qm", "first"], { SYLK_AGENT: "byte-otter" })).toMatchObject({ status: 0 });
    tree.write(second, "by sylk\n");
    await otter.client.call("commit.create", { message: "second", paths: ["."] });
    for (const name of [first, second]) expect(committed(tree)).toContain(name.toString("latin1"));
    expect(tree.git("status", "--porcelain")).toBe("");
  });
});

it("without git an edit is guarded all the same, and said of nothing [ADPT-2]", async () => {
  const tree = repositoryOf("gitless");
  const programs = join(daemon.root, "programs");
  mkdirSync(programs);
  for (const name of ["sh", "curl"]) {
    const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    symlinkSync(stdout.trim(), join(programs, name));
  }
  const without = { PATH: programs };
  expect(await sessionIn(tree, "g-1", without).edit("a.ts")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(await sessionIn(tree, "g-2", without).edit("a.ts")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is held by"),
  });
});
