/** Git commands that rewrite the tree, as an agent types them into its shell tool: through real hooks, with real git. */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookClient, hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

const silence = { code: 0, stdout: "", stderr: "" };

let daemon: ScratchDaemon;
let asked: string;
let heron: HookClient;
let otter: HookClient;
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@localhost", ...args], {
    cwd: daemon.repository,
    env: { ...process.env, ...daemon.env, SYLK_OVERRIDE: "the fixture" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const write = (path: string, text: string) => writeFileSync(join(daemon.repository, path), text);
const edited = async (who: HookClient, path: string, text: string) => {
  expect(await who.edit(path)).toEqual(silence);
  write(path, text);
  const call = { tool_name: "Edit", tool_input: { file_path: join(daemon.repository, path) } };
  await who.send("PostToolBatch", { tool_calls: [call] });
};

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { PATH: recordingPath() } });
  appendFileSync(asked, "");
  write("a.ts", "one\n");
  mkdirSync(join(daemon.repository, "lib"), { recursive: true });
  write("lib/b.ts", "one\n");
  write("c.ts", "one\n");
  git("add", ".");
  git("commit", "-qm", "one");
  write("a.ts", "two\n");
  git("commit", "-qam", "two");
  git("checkout", "-qb", "feature");
  write("a.ts", "three\n");
  git("commit", "-qam", "three");
  git("format-patch", "-1", "-o", join(daemon.root, "patches"));
  git("checkout", "-q", "-");
  git("clone", "-q", "--bare", ".", join(daemon.root, "remote.git"));
  git("remote", "add", "origin", join(daemon.root, "remote.git"));
  git("fetch", "-q", "origin");
  git("branch", "-u", "origin/feature");
  write("a.ts", "stashed\n");
  git("stash", "-q");
  git("config", "alias.wipe", "reset --hard");
  git("config", "alias.away", "!f() { git stash; }; f");
  git("config", "alias.st", "status --short");
  await daemon.sylk(["install", "claude-code", "--yes"]);
  [heron, otter] = ["heron", "otter"].map((session) =>
    hookClient({ session, repository: daemon.repository, env: daemon.env }),
  ) as [HookClient, HookClient];
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** A git of the daemon that writes down what it is asked. */
function recordingPath(): string {
  const bin = `${process.env.TMPDIR ?? "/tmp"}/sylk-git-${crypto.randomUUID()}`;
  asked = join(bin, "asked");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${asked}\nexec ${real} "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  return `${bin}:${process.env.PATH}`;
}

/** Of what the guard asks first. */
const questions = () =>
  readFileSync(asked, "utf8")
    .split("\n")
    .filter((line) => line.includes("core.fsmonitor=false"));

const tree = () => daemon.repository;
const rewriting: readonly (readonly [command: string | (() => string), file: string])[] = [
  ["git reset --hard", "a.ts"],
  ["git reset --hard HEAD~1", "a.ts"],
  ["git reset --merge HEAD~1", "a.ts"],
  ["git reset --keep feature", "a.ts"],
  ["git stash", "a.ts"],
  ["git stash push --include-untracked", "new.ts"],
  ["git stash pop", "a.ts"],
  ["git stash apply stash@{0}", "a.ts"],
  ["git clean -fd", "new.ts"],
  ["git clean -xdf .", "new.ts"],
  ["git switch feature", "a.ts"],
  ["git checkout feature", "a.ts"],
  ["git checkout -f", "a.ts"],
  ["git checkout -B other feature", "a.ts"],
  ["git restore :/", "a.ts"],
  ["git rebase feature", "a.ts"],
  ["git rebase --autostash HEAD", "a.ts"],
  ["git pull", "a.ts"],
  ["git pull origin feature", "a.ts"],
  ["git merge feature", "a.ts"],
  ["git cherry-pick feature", "a.ts"],
  ["git revert --no-edit HEAD", "a.ts"],
  [() => `git am ${join(daemon.root, "patches", "0001-three.patch")}`, "a.ts"],
  [() => `git apply ${join(daemon.root, "patches", "0001-three.patch")}`, "a.ts"],
  ["git read-tree -u --reset feature", "a.ts"],
  ["git checkout-index -fa", "a.ts"],
  ["git sparse-checkout set lib", "a.ts"],
  ["git bisect start HEAD HEAD~1", "a.ts"],
  ["rm -rf .git", "a.ts"],
  ["mv .git ../away", "a.ts"],
];
const wrapped: readonly (string | (() => string))[] = [
  "cd lib && git reset --hard",
  "git -C lib reset --hard",
  () => `cd / && git --git-dir=${tree()}/.git --work-tree=${tree()} reset --hard`,
  () => `cd / && GIT_WORK_TREE=${tree()} GIT_DIR=${tree()}/.git git reset --hard`,
  "sudo git reset --hard",
  "env A=1 git reset --hard",
  `bash -c "cd lib; git reset --hard"`,
  "wipe() { git reset --hard; }; wipe",
  "alias wipe='git reset --hard'; wipe",
  "git wipe",
  "git -C lib away",
  "git -c alias.gone='reset --hard' gone",
  "git config alias.gone '!git stash' && git gone",
];

describe("while another live agent works in the tree", () => {
  it("pass if they touch none of its files [GIT-15]", async () => {
    await otter.start();
    expect(await heron.edit("c.ts")).toEqual(silence);
    await edited(otter, "lib/b.ts", "otter\n");
    for (const command of ["git stash", "git reset --hard", "git st", "git clean -fd", "git checkout -b mine"])
      expect(await otter.shell(command), command).toEqual(silence);
    git("checkout", "-q", "--", "lib/b.ts");
  });

  it("are refused while they would change a file that it holds, with who and which [GIT-15]", async () => {
    await edited(heron, "a.ts", "heron\n");
    await edited(heron, "new.ts", "heron\n");
    const { name } = (await daemon.user.call("reservation.check", { paths: ["a.ts"] })).items[0]!.holder!;
    for (const [command, file] of rewriting) {
      const text = typeof command === "string" ? command : command();
      const { code, stderr } = await otter.shell(text);
      expect({ text, code, stderr }).toMatchObject({ text, code: 2 });
      expect(stderr, text).toContain(`"${file}" (held by ${name})`);
    }
    const { stderr } = await otter.shell("git reset --hard");
    expect(stderr).toMatch(
      /"git reset --hard" would change a file .*sylk worktree add.*sylk negotiate rsv_.*write\.erases/,
    );
    expect(await heron.shell("git reset --hard")).toEqual(silence);
  });

  it("are refused behind folders, options, wrappers, functions and aliases [GIT-15]", async () => {
    for (const command of wrapped) {
      const text = typeof command === "string" ? command : command();
      const { code, stderr } = await otter.shell(text);
      expect({ text, code, stderr }).toMatchObject({
        text,
        code: 2,
        stderr: expect.stringContaining('"a.ts" (held by'),
      });
    }
  });

  it("are refused while they would change a file with its uncommitted changes, held or not [GIT-15]", async () => {
    await edited(heron, "c.ts", "heron\n");
    const held = (await daemon.user.call("reservation.list", {})).items.filter(({ paths }) => paths[0] !== "lib/b.ts");
    for (const { id } of held) await daemon.sylk(["free", id], { env: { CLAUDE_CODE_SESSION_ID: "heron" } });
    expect((await daemon.user.call("reservation.list", {})).items).toMatchObject([{ paths: ["lib/b.ts"] }]);
    for (const command of ["git checkout .", "git reset --hard", "git stash -u", "rm -rf .git"]) {
      const { code, stderr } = await otter.shell(command);
      expect({ command, code, stderr }).toMatchObject({ command, code: 2 });
      expect(stderr, command).toMatch(/would change [23] files .*"a\.ts" \(uncommitted changes of \w+\)/);
    }
    expect((await otter.shell("git switch feature")).stderr).toContain('"a.ts" (uncommitted changes of');
  });

  it("of which git cannot say what they change are unknown, not harmless [GIT-15]", async () => {
    await heron.edit("a.ts");
    expect(await otter.shell("git switch nowhere")).toMatchObject({ code: 0, stderr: "" });
    const { stdout } = await otter.shell("touch mine.ts");
    expect(stdout).toContain("git switch: nowhere is not a branch that git knows here");
  });

  it("are refused where a part before them adds a new file that it holds [GIT-15]", async () => {
    expect(await heron.edit("new.ts")).toEqual(silence);
    write("new.ts", "not tracked yet\n");
    for (const command of ["git add . && git stash", "git add new.ts; git reset --hard"])
      expect(await otter.shell(command), command).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"new.ts" (held by'),
      });
  });

  it("pass with a warning where the policy only warns, after the files at stake are in local history [GIT-15]", async () => {
    mkdirSync(join(tree(), ".sylk"), { recursive: true });
    writeFileSync(join(tree(), ".sylk", "config.yaml"), "guard:\n  policy: warn\n");
    expect((await daemon.sylk(["config", "trust"], { cwd: tree() })).code).toBe(0);
    write("c.ts", "the last lines, which no hook saw\n");
    const { code, stderr, stdout } = await otter.shell("git reset --hard");
    expect({ code, said: stdout + stderr }).toMatchObject({ code: 0, said: expect.stringContaining("would change") });
    rmSync(join(tree(), ".sylk"), { recursive: true });
    const { items } = await daemon.user.call("file.history", { path: "c.ts" });
    expect(items).toContainEqual(expect.objectContaining({ bytes: "the last lines, which no hook saw\n".length }));
  });
});

it("pass for an agent that is alone in the tree, and git is not asked [GIT-15]", async () => {
  await heron.send("SessionEnd", { reason: "other" });
  const before = questions().length;
  expect(before).toBeGreaterThan(0);
  for (const [command] of rewriting.slice(0, -2))
    expect(await otter.shell(typeof command === "string" ? command : command()), String(command)).toEqual(silence);
  expect(await otter.shell("git wipe")).toEqual(silence);
  expect(questions()).toHaveLength(before);
  expect(existsSync(join(tree(), ".git"))).toBe(true);
});
