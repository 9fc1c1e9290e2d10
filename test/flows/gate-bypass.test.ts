/**
 * Ways round the commit gate, each really tried in one repository: stopped where git asks a hook, else found within seconds and
 * written down, and never called stopped then.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const held = "src/checkout.ts";
const inTime = { withinMs: 10_000 };

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  const { repository, env } = daemon;
  await daemon.sylk(["install", "claude-code", "--yes"]);
  git("config", "user.name", "Test");
  git("config", "user.email", "test@sylk.invalid");
  const heron = hookClient({ session: "heron-session", repository, env });
  await heron.start();
  await heron.edit(held);
});
afterAll(() => daemon[Symbol.asyncDispose]());

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: daemon.repository, env: daemon.env, encoding: "utf8" }).trim();
}

/** In another agent's shell; the held file is changed and staged before, and put back as it was on the branch after. */
function tried(script: string) {
  appendFileSync(join(daemon.repository, held), "// changed\n");
  git("add", held);
  const setup = 'set -e; old=$(git rev-parse main); made() { git commit-tree "$(git write-tree)" "$@" -m x; }; ';
  const { status, stderr } = spawnSync("sh", ["-c", setup + script], {
    cwd: daemon.repository,
    env: { ...daemon.env, CLAUDE_CODE_SESSION_ID: "other-session", ELSEWHERE: elsewhere() },
    encoding: "utf8",
  });
  return { status, stderr };
}

function elsewhere(): string {
  const folder = join(daemon.root, "elsewhere");
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function bypasses(): Promise<readonly string[]> {
  const { items } = await daemon.user.call("audit.list", { action: "commit.bypassed" });
  return items.map(({ subject }) => subject).toReversed();
}

describe("stopped, and the branch stays", () => {
  // The first ones need a branch of one commit.
  it.each([
    ["a root that is amended", "git commit -q --amend --no-verify -m x"],
    ["an orphan branch", "git checkout -q --orphan lone; git commit -q --no-verify -m x"],
    ["commit-tree and update-ref", 'git update-ref refs/heads/main "$(made -p $old)" $old'],
    ["update-ref without an old value", 'git update-ref refs/heads/main "$(made -p $old)"'],
    ["two commits at once", 'git update-ref refs/heads/main "$(made -p "$(made -p $old)")"'],
    ["a commit without a parent", 'git update-ref refs/heads/main "$(made)"'],
    [
      "branch -f after commits on a detached HEAD",
      "git checkout -q --detach; git commit -q --no-verify -m x; git branch -f main HEAD",
    ],
    ["a new branch", 'git branch taken "$(made -p $old)"'],
    [
      "several references at once",
      'git branch -f idle main; printf "update refs/heads/idle %s\\nupdate refs/heads/main %s\\n" "$(git commit-tree main^{tree} -p $old -m y)" "$(made -p $old)" | git update-ref --stdin',
    ],
    ["SYLK_COMMIT set by hand", "new=$(made -p $old); SYLK_COMMIT=$new git update-ref refs/heads/main $new"],
    ["another home for the hook", 'SYLK_HOME="$ELSEWHERE" git commit -q --no-verify -m x'],
    ["SYLK_GATE set by hand", "SYLK_GATE=asked git commit -q --no-verify -m x"],
    [
      "fast-import",
      'printf "commit refs/heads/main\\ncommitter T <t@sylk.invalid> 1700000000 +0000\\ndata 1\\nx\\nfrom %s\\nM 100644 inline src/checkout.ts\\ndata 2\\n1\\n\\n" $old | git fast-import --quiet --force',
    ],
    [
      "GIT_DIR and GIT_WORK_TREE elsewhere",
      'export GIT_DIR="$PWD/.git" GIT_WORK_TREE="$ELSEWHERE"; cd "$ELSEWHERE"; git commit -q --no-verify -m x',
    ],
  ])("%s [GIT-4]", async (_, script) => {
    const before = git("rev-parse", "main");
    const { status, stderr } = tried(script);
    expect(status, stderr).not.toBe(0);
    expect(stderr).toMatch(/The commit is stopped: "src\/checkout.ts" is held by \w+/);
    expect(git("rev-parse", "main")).toBe(before);
    git("symbolic-ref", "HEAD", "refs/heads/main");
    git("reset", "-q", "--hard");
    expect(git("branch", "--list", "taken", "lone")).toBe("");
  });
});

describe("found within seconds and written down, and not called stopped", () => {
  it.each([
    ["core.hooksPath for one command", "git -c core.hooksPath=/dev/null commit -q -m x"],
    [
      "a mark of a gate that was not asked",
      "new=$(made -p $old); echo $$ > .git/sylk-gated; exec git update-ref refs/heads/main $new",
    ],
    ["a reference written as a file", "made -p $old > .git/refs/heads/main"],
  ])("%s", async (_, script) => {
    const { status, stderr } = tried(script);
    expect(status, stderr).toBe(0);
    const commit = git("rev-parse", "main");
    await until("it is in the audit", async () => (await bypasses()).includes(commit), inTime);
    const said = await noticed(commit.slice(0, 10));
    expect(said.subject).toMatch(/came to main without the commit gate and contains src\/checkout.ts, held by \w+/);
    expect(said.body).toContain("Found after it happened; nothing was stopped.");
  });

  it("the gate that is switched off: said at once, and each commit then", async () => {
    git("config", "core.hooksPath", elsewhere());
    const off = await until(
      "the gate is off",
      () => noticed("is off: core.hooksPath is").catch(() => undefined),
      inTime,
    );
    expect(off.subject).toContain("commits are not checked");
    expect(tried("git commit -q -m x").status).toBe(0);
    await until("the commit is found", async () => (await bypasses()).includes(git("rev-parse", "main")), inTime);
    git("config", "--unset", "core.hooksPath");
    spawnSync("sh", ["-c", "rm -f .git/hooks/*"], { cwd: daemon.repository });
    await until("the hooks are gone", () => noticed("is off: its hooks are gone").catch(() => undefined), inTime);
    const { items } = await daemon.user.call("audit.list", { action: "gate.off" });
    expect(items).toHaveLength(2);
    expect((await daemon.sylk(["install", "claude-code", "--yes"])).code).toBe(0);
  });

  it("a commit that was made while no daemon ran: found by the next one", async () => {
    await daemon.kill();
    expect(tried("sleep 2; git -c core.hooksPath=/dev/null commit -q -m x").status).toBe(0);
    const commit = git("rev-parse", "main");
    await daemon.restart();
    await until("the next daemon finds it", async () => (await bypasses()).includes(commit), inTime);
    expect((await noticed(commit.slice(0, 10))).subject).toContain("while Sylk was not running");
  });

  it("is none of the commits that the gate let through: the holder's own, free files, and one with a reason", async () => {
    const before = await bypasses();
    const env = { ...daemon.env, CLAUDE_CODE_SESSION_ID: "heron-session" };
    const own = (...args: readonly string[]) =>
      spawnSync("git", args, { cwd: daemon.repository, env, encoding: "utf8" });
    appendFileSync(join(daemon.repository, held), "// by its holder\n");
    expect(own("commit", "-q", "-a", "-m", "own")).toMatchObject({ status: 0 });
    expect(tried('SYLK_OVERRIDE="red build" git commit -q -m x').status).toBe(0);
    expect(
      tried("git restore --staged src/checkout.ts; echo 1 > free.ts; git add free.ts; git commit -q -m x").status,
    ).toBe(0);
    const last = tried("git -c core.hooksPath=/dev/null commit -q -m x");
    expect(last.status).toBe(0);
    const commit = git("rev-parse", "main");
    const found = await until(
      "the last one is found",
      async () => {
        const now = await bypasses();
        return now.includes(commit) && now;
      },
      inTime,
    );
    expect(found).toEqual([...before, commit]);
  });
});

/** The holder's notice with these words. */
async function noticed(words: string) {
  const { items: holds } = await daemon.user.call("reservation.list", {});
  const client = daemon.clientOf({ actAs: holds[0]!.holder.id });
  const { items } = await client.call("mail.inbox", { channel: "notices", limit: 50 });
  const found = items.find(({ subject }) => subject.includes(words));
  if (found === undefined)
    throw new Error(`no notice says ${words}: ${items.map(({ subject }) => subject).join("\n")}`);
  return found;
}
