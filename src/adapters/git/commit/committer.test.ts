import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../platform/clock/index.ts";
import { env, world } from "../testkit.ts";
import { createCommitter } from "./committer.ts";

type World = Awaited<ReturnType<typeof world>>;

async function opened(path = env.PATH) {
  const at = await world();
  at.git("config", "user.name", "Ada");
  at.git("config", "user.email", "ada@sylk.invalid");
  const committer = createCommitter(systemClock(), { ...env, PATH: path }, at.folder.path);
  const draft = async (below: readonly string[], message = "two", tree = at.repository) =>
    committer.draft({
      tree,
      files: await committer.changedFiles(tree, below),
      message,
      agent: "agt_1",
      hookMs: 20_000,
    });
  const commit = async (below: readonly string[], message?: string, tree?: string) => {
    await using drafted = await draft(below, message, tree);
    await drafted.runHooks();
    return await drafted.land();
  };
  return { ...at, [Symbol.dispose]: at[Symbol.dispose], committer, draft, commit };
}

function hook({ repository }: Pick<World, "repository">, name: string, script: string, folder = ".git/hooks"): void {
  mkdirSync(join(repository, folder), { recursive: true });
  writeFileSync(join(repository, folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(repository, folder, name), 0o755);
}
const filesOf = (at: World, commit = "HEAD") =>
  at.git("show", "--format=", "--name-status", "--no-renames", commit).split("\n").filter(Boolean);

describe("a commit", () => {
  it("holds exactly its paths, whatever others have staged, and leaves their staging as it was [GIT-1]", async () => {
    using at = await opened();
    at.put("mine.txt", "mine\n");
    at.put("a.txt", "staged by another\n");
    at.git("add", "a.txt");
    at.put("a.txt", "changed since\n");
    rmSync(join(at.repository, "sub/b.txt"));
    expect(await at.commit(["mine.txt", "sub"])).toMatchObject({ subject: "two" });
    expect(filesOf(at)).toEqual(["A\tmine.txt", "D\tsub/b.txt"]);
    expect(at.git("status", "--porcelain")).toBe("MM a.txt");
    expect(at.git("show", ":a.txt")).toBe("staged by another");
    expect(at.git("reflog", "-1", "--format=%gs")).toBe("commit: two");
  });

  it("carries its paths over to a branch that moved, and reverts nothing of it [GIT-1, GIT-5]", async () => {
    using at = await opened();
    at.put("mine.txt", "mine\n");
    await using draft = await at.draft(["mine.txt"]);
    at.put("a.txt", "theirs\n");
    at.git("commit", "--quiet", "--message", "theirs", "a.txt");
    await draft.land();
    expect([at.git("show", "HEAD:a.txt"), at.git("show", "HEAD:mine.txt")]).toEqual(["theirs", "mine"]);
    expect(at.git("log", "--format=%s").split("\n")).toEqual(["two", "theirs", "one"]);
    expect(at.git("status", "--porcelain")).toBe("");
  });

  it("is drafted again when another commit changed one of its paths meanwhile [GIT-5]", async () => {
    using at = await opened();
    at.put("a.txt", "mine\n");
    await using draft = await at.draft(["a.txt"]);
    at.put("a.txt", "theirs\n");
    at.git("commit", "--quiet", "--message", "theirs", "a.txt");
    expect(await draft.land()).toBe("overtaken");
    expect(at.git("log", "--format=%s").split("\n")).toEqual(["theirs", "one"]);
  });

  it("waits for another git's index.lock, and leaves none of its own [GIT-9]", async () => {
    using at = await opened();
    at.put("a.txt", "mine\n");
    const lock = join(at.repository, ".git/index.lock");
    writeFileSync(lock, "");
    const landing = at.commit(["a.txt"]);
    systemClock().after(60, () => rmSync(lock));
    expect(await landing).toMatchObject({ subject: "two" });
    expect(existsSync(lock)).toBe(false);
  });

  it("leaves no throw-away index behind, also where it is refused", async () => {
    using at = await opened();
    hook(at, "pre-commit", 'printf %s "$GIT_INDEX_FILE" > ../index-of-it; exit 1');
    at.put("a.txt", "mine\n");
    await expect(at.commit(["a.txt"])).rejects.toMatchObject({ code: "commit.hook-refused" });
    const index = readFileSync(join(at.folder.path, "index-of-it"), "utf8");
    expect([index.includes("sylk-index-"), existsSync(dirname(index))]).toEqual([true, false]);
  });

  it("hides no edit of another file that git can only tell by its content: same size, same moment [GIT-1]", async () => {
    using at = await opened();
    const file = join(at.repository, "a.txt");
    const moment = Math.floor(statSync(file).mtimeMs / 1_000) - 60;
    utimesSync(file, moment, moment);
    at.git("update-index", "--refresh");
    at.put("a.txt", "z\n");
    utimesSync(file, moment, moment);
    utimesSync(join(at.repository, ".git/index"), moment, moment);
    at.put("mine.txt", "mine\n");
    await at.commit(["mine.txt"]);
    expect(at.git("status", "--porcelain")).toBe("M a.txt");
    expect(await at.commit(["a.txt"])).toMatchObject({ subject: "two" });
  });

  it("works in a worktree, in a bare repository's worktree, and as the first one of a repository [GIT-1]", async () => {
    using at = await opened();
    const side = join(at.folder.path, "side");
    at.git("worktree", "add", "--quiet", "-b", "side", side);
    at.put("a.txt", "side\n", side);
    await at.commit(["a.txt"], "on the side", side);
    expect(at.git("log", "-1", "--format=%s", "side")).toBe("on the side");
    const bare = join(at.folder.path, "bare.git");
    at.git("clone", "--quiet", "--bare", at.repository, bare);
    const beside = join(at.folder.path, "beside");
    at.git("-C", bare, "worktree", "add", "--quiet", "-b", "beside", beside);
    at.put("a.txt", "beside\n", beside);
    at.git("-C", bare, "config", "user.name", "Ada");
    at.git("-C", bare, "config", "user.email", "ada@sylk.invalid");
    await at.commit(["a.txt"], "beside a bare one", beside);
    expect(at.git("-C", beside, "status", "--porcelain")).toBe("");
    const empty = join(at.folder.path, "empty");
    at.git("init", "--quiet", "--initial-branch=main", empty);
    at.git("-C", empty, "config", "user.name", "Ada");
    at.git("-C", empty, "config", "user.email", "ada@sylk.invalid");
    at.put("first.txt", "1\n", empty);
    await at.commit(["first.txt"], "first", empty);
    expect(at.git("-C", empty, "log", "--format=%an %s")).toBe("Ada first");
  });

  it("takes names that are not UTF-8, ignored files that are tracked, folders in the place of files, and submodules", async () => {
    using at = await opened();
    const odd = Buffer.concat([Buffer.from(`${at.repository}/odd-`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(odd, "odd\n");
    at.put("ignored/kept.txt", "1\n");
    at.git("add", "--force", "ignored/kept.txt");
    rmSync(join(at.repository, "a.txt"));
    at.put("a.txt/inside.txt", "1\n");
    const part = join(at.folder.path, "part");
    at.git("init", "--quiet", part);
    at.git("-C", part, "commit", "--quiet", "--allow-empty", "--message", "part");
    at.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "part");
    await at.commit(["."]);
    expect(at.git("status", "--porcelain")).toBe("");
    expect(at.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual([
      ".gitignore",
      ".gitmodules",
      "a.txt/inside.txt",
      "ignored/kept.txt",
      String.raw`"odd-\377\376"`,
      "part",
      "sub/b.txt",
    ]);
  });
});

describe("the repository's hooks", () => {
  it("see the index of the commit, and what they stage or write into the message belongs to it", async () => {
    using at = await opened();
    hook(at, "pre-commit", 'git diff --cached --name-only > "$PWD/../seen"; echo tidy > mine.txt; git add mine.txt');
    hook(at, "commit-msg", 'echo "Signed: $SYLK_AGENT" >> "$1"');
    at.put("mine.txt", "untidy\n");
    at.put("a.txt", "not part of it\n");
    await at.commit(["mine.txt"]);
    expect(readFileSync(join(at.folder.path, "seen"), "utf8")).toBe("mine.txt\n");
    expect(at.git("show", "HEAD:mine.txt")).toBe("tidy");
    expect(at.git("log", "-1", "--format=%B")).toBe("two\nSigned: agt_1");
  });

  it("stand where core.hooksPath says, stop the commit with their own words, and may not take for ever", async () => {
    using at = await opened();
    hook(at, "pre-commit", "echo 'lint: 3 problems'; exit 3", ".husky");
    at.git("config", "core.hooksPath", ".husky");
    at.put("a.txt", "mine\n");
    await expect(at.commit(["a.txt"])).rejects.toMatchObject({
      code: "commit.hook-refused",
      message: expect.stringContaining("lint: 3 problems"),
      details: { hook: "pre-commit" },
    });
    expect(at.git("log", "--format=%s")).toBe("one");
    expect(at.git("status", "--porcelain", "a.txt")).toBe("M a.txt");
    hook(at, "pre-commit", "sleep 60", ".husky");
    const files = await at.committer.changedFiles(at.repository, ["a.txt"]);
    const wanted = { tree: at.repository, files, message: "two", agent: "agt_1", hookMs: 50 };
    await using draft = await at.committer.draft(wanted);
    await expect(draft.runHooks()).rejects.toThrow(/took longer than 50 ms/);
  });

  it("of references may refuse it too, and then nothing has changed", async () => {
    using at = await opened();
    hook(at, "reference-transaction", '[ "$1" != prepared ] || { echo "frozen" >&2; exit 1; }');
    at.put("a.txt", "mine\n");
    await expect(at.commit(["a.txt"])).rejects.toMatchObject({
      code: "commit.not-possible",
      message: expect.stringContaining("frozen"),
    });
    expect(at.git("status", "--porcelain")).toBe("M a.txt");
  });
});

describe("no commit", () => {
  const states: Readonly<Record<string, readonly [(at: World) => void, RegExp]>> = {
    "on a detached HEAD": [({ git }) => git("checkout", "--quiet", "--detach"), /git switch -c/],
    "amid a merge": [
      ({ repository, git }) => writeFileSync(join(repository, ".git/MERGE_HEAD"), `${git("rev-parse", "HEAD")}\n`),
      /git merge --abort/,
    ],
    "amid a rebase": [({ repository }) => mkdirSync(join(repository, ".git/rebase-merge")), /git rebase --continue/],
    "without an author": [
      ({ git }) => {
        git("config", "--unset", "user.name");
        git("config", "--unset", "user.email");
        git("config", "user.useConfigOnly", "true");
      },
      /git config user.name/,
    ],
    "with a key that cannot sign": [
      ({ git }) => {
        git("config", "commit.gpgSign", "true");
        git("config", "gpg.program", "/bin/false");
      },
      /could not sign/,
    ],
  };
  it.each(Object.keys(states))("is made %s, and the way out is told", async (name) => {
    using at = await opened();
    at.put("a.txt", "mine\n");
    states[name]![0](at);
    await expect(at.commit(["a.txt"])).rejects.toMatchObject({
      code: "commit.not-possible",
      message: expect.stringMatching(states[name]![1]),
    });
    expect(at.git("log", "--format=%s")).toBe("one");
    expect(existsSync(join(at.repository, ".git/index.lock"))).toBe(false);
  });

  it("is made of paths beyond a link, outside of the tree, or in a folder that is no repository; many long ones are looked at", async () => {
    using at = await opened();
    symlinkSync("sub", join(at.repository, "link"));
    expect(await at.committer.changedFiles(at.repository, ["link/b.txt"])).toEqual([]);
    await expect(at.commit(["../out"])).rejects.toMatchObject({ code: "input.invalid" });
    await expect(at.commit(["a.txt"], "two", at.folder.path)).rejects.toMatchObject({ code: "workspace.unavailable" });
    at.put("a.txt", "mine\n");
    const many = Array.from({ length: 499 }, (_, index) => `${"ü".repeat(1_300)}${index}`);
    expect(await at.commit([...many, "a.txt"])).toMatchObject({ subject: "two" });
  });

  it("is made where git is missing", async () => {
    using at = await opened("/nowhere");
    await expect(at.commit(["a.txt"])).rejects.toMatchObject({ code: "workspace.unavailable" });
  });
});

it("a path that is set back to an older version of it is found, whatever its name [GIT-3]", async () => {
  using at = await opened();
  at.put("a.txt", "second\n");
  at.git("commit", "--quiet", "--message", "second", "a.txt");
  at.put("a.txt", "a\n");
  at.put("sub/b.txt", "b\nmore\n");
  await using draft = await at.draft(["."]);
  expect(await draft.setBack(["a.txt", "sub/b.txt"])).toEqual(["a.txt"]);
  expect(draft.changes.map(({ path, takesAway }) => [path, takesAway])).toEqual([
    ["a.txt", true],
    ["sub/b.txt", false],
  ]);
});
