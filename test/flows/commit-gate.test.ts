/** The commit gate in real repositories: `git commit` with the installed hook, agents that hold files, a real daemon. */
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { mcpOnlyClient } from "./mcp-only-client.ts";
import { hasTerminal, noTerminal } from "./terminal.ts";
import { inOwnRepository, openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

type Env = Readonly<Record<string, string>>;

let shared: ScratchDaemon;
beforeAll(async () => {
  shared = await openScratchDaemon({ commands: "as processes" });
  await install(shared);
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("a commit", () => {
  it("of a file that another live agent holds is stopped, and names the holder; without that file it goes through [GIT-4]", async () => {
    await using world = await gated();
    const heron = world.session("heron-session");
    await heron.start();
    await heron.edit("src/checkout.ts");
    change(world.repository, "src/checkout.ts", "free.ts");
    const stopped = world.commit({ CLAUDE_CODE_SESSION_ID: "other-session" });
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).toMatch(/The commit is stopped: "src\/checkout.ts" is held by \w+ \(claude-code, active/);
    expect(stopped.stderr).toContain("reservation.conflict");
    expect(log(world.repository)).toHaveLength(1);
    git(world.repository, ["restore", "--staged", "src/checkout.ts"], world.env);
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "other-session" })).toMatchObject({ status: 0, stderr: "" });
    change(world.repository, "src/checkout.ts");
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "heron-session" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("in a worktree asks for the holds of that tree [GIT-4]", async () => {
    await using world = await gated();
    const side = join(world.root, "side");
    git(world.repository, ["worktree", "add", "-q", "-b", "side", side], world.env);
    const inMain = world.session("main-session");
    const inSide = hookClient({
      session: "side-session",
      repository: side,
      env: world.env,
      settings: join(world.repository, ".claude", "settings.local.json"),
    });
    await inMain.edit("src/checkout.ts");
    change(side, "src/checkout.ts");
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "third" }, side)).toMatchObject({ status: 0 });
    await inSide.edit("src/checkout.ts");
    change(side, "src/checkout.ts");
    const stopped = world.commit({ CLAUDE_CODE_SESSION_ID: "third" }, side);
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining("is held by") });
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "side-session" }, side)).toMatchObject({ status: 0 });
  });

  it("of a person at a terminal is only warned, and stopped where the policy is strict", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    await using world = await gated();
    await world.session("heron-session").edit("src/checkout.ts");
    change(world.repository, "src/checkout.ts");
    const warned = commitOnTerminal(world);
    expect(warned).toMatchObject({ status: 0, stdout: expect.stringContaining("is held by") });
    mkdirSync(join(world.repository, ".sylk"));
    writeFileSync(join(world.repository, ".sylk", "config.yaml"), "guard:\n  policy: strict\n");
    change(world.repository, "src/checkout.ts");
    expect(commitOnTerminal(world)).toMatchObject({ status: 1, stdout: expect.stringContaining("is held by") });
  });

  it("that cannot be attributed is stopped where a file is held, with the way out, and else goes through [GIT-18]", async () => {
    await using world = await gated();
    await world.session("heron-session").edit("src/checkout.ts");
    change(world.repository, "free.ts");
    expect(world.commit()).toMatchObject({ status: 0, stderr: "" });
    change(world.repository, "src/checkout.ts");
    const past = () => git(world.repository, ["commit", "-q", "--no-verify", "-m", "x"], world.env);
    for (const stopped of [world.commit(), past()]) {
      expect(stopped.status).not.toBe(0);
      expect(stopped.stderr).toMatch(
        /The commit is stopped: "src\/checkout.ts" is held by \w+ .*Sylk does not know who commits/s,
      );
      expect(stopped.stderr).toMatch(/SYLK_AGENT=<name> git commit.*SYLK_OVERRIDE="why" git commit/s);
    }
    const own = await world.sylk(["commit", "-m", "x", "src/checkout.ts"]);
    expect(own).toMatchObject({ code: 4, stderr: expect.stringContaining("Sylk does not know who commits") });
    const { items } = await world.user.call("agent.list", {});
    const person = items.find(({ client }) => client === "human")!;
    const named = world.commit({ SYLK_AGENT: person.name });
    expect(named).toMatchObject({ status: 0, stderr: expect.stringContaining("is held by") });
  });

  it("of an agent known by MCP alone is its own, by the client that started its tool server [GIT-18]", async () => {
    await using world = await gated();
    await using otter = await mcpOnlyClient(world, "otter-key");
    await using mole = await mcpOnlyClient(world, "mole-key");
    await otter.tools("reservation_acquire", { paths: ["src/checkout.ts"] });
    change(world.repository, "src/checkout.ts");
    const stopped = await mole.commit();
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining("is held by") });
    expect(stopped.stderr).not.toContain("Sylk does not know who commits");
    expect(await otter.commit()).toEqual({ status: 0, stderr: "" });
    const { items } = await world.user.call("event.list", { type: "commit.announced" });
    expect(items.map(({ data }) => (data as { by: { id: string } }).by.id)).toEqual([otter.agent]);
  });

  it("is for the agent that is named, else of the session, else of the nearest registered process", async () => {
    await using world = await gated();
    await world.session("heron-session").edit("src/checkout.ts");
    const { items } = await world.user.call("agent.list", {});
    const heron = items[0]!.name;
    change(world.repository, "src/checkout.ts");
    expect(world.commit({ SYLK_AGENT: heron }).stderr).toBe("");
    await world.user.call("agent.register", {
      sessionKey: "a-process",
      client: "opencode",
      project: { path: world.repository },
      pid: process.pid,
    });
    change(world.repository, "src/checkout.ts");
    expect(world.commit()).toMatchObject({ status: 1, stderr: expect.stringContaining(`is held by ${heron}`) });
  });

  it("of a file that was lost to another agent since is stopped until it is held again [RSV-9, GIT-4]", async () => {
    await using world = await gated({
      env: {
        SYLK_RESERVATIONS_TTL_MS: "1000",
        SYLK_RESERVATIONS_MAX_TTL_MS: "1000",
        SYLK_RESERVATIONS_GRACE_MS: "0",
      },
    });
    const [one, two] = [world.session("s-1"), world.session("s-2")];
    await one.edit("src/checkout.ts");
    change(world.repository, "src/checkout.ts");
    await until("the first hold has run out", async () => (await two.edit("src/checkout.ts")).code === 0);
    await two.send("SessionEnd", { reason: "other" });
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    expect(world.commit(env)).toMatchObject({ status: 1, stderr: expect.stringContaining("lease.lost") });
    expect((await world.sylk(["reserve", "src/checkout.ts"], { env })).code).toBe(0);
    expect(world.commit(env)).toMatchObject({ status: 0 });
  });

  it("that takes lines out of files its session never touched is stopped with the list; a merge's are not [GIT-3]", async () => {
    await using world = await gated();
    const { repository } = world;
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    writeFileSync(join(repository, "README.md"), "# Another shop\n");
    git(repository, ["add", "README.md"], world.env);
    expect(world.commit()).toMatchObject({ status: 0, stderr: "" });
    git(repository, ["switch", "-q", "-c", "side"], world.env);
    writeFileSync(join(repository, "README.md"), "# The first shop\n");
    git(repository, ["add", "README.md"], world.env);
    const stopped = world.commit(env);
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining("commit.reverts") });
    expect(stopped.stderr).toContain("files that you never reserved: README.md");
    const past = git(repository, ["commit", "-q", "--no-verify", "-m", "x"], { ...world.env, ...env });
    expect(past).toMatchObject({ status: 128, stderr: expect.stringContaining("commit.reverts") });
    expect(world.commit()).toMatchObject({ status: 0 });
    git(repository, ["switch", "-q", "main"], world.env);
    change(repository, "a.ts");
    expect(world.commit(env)).toMatchObject({ status: 0 });
    git(repository, ["merge", "-q", "--no-commit", "side"], world.env);
    expect(world.commit(env)).toMatchObject({ status: 0, stderr: "" });
  });

  it("of a grant that has ended is stopped by its token [GIT-4]", async () => {
    await using world = await gated();
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    const { reservation } = JSON.parse((await world.sylk(["reserve", "a.ts", "--json"], { env })).stdout);
    change(world.repository, "a.ts");
    const withToken = { ...env, SYLK_FENCING_TOKEN: String(reservation.fencingToken) };
    expect(world.commit(withToken)).toMatchObject({ status: 0, stderr: "" });
    await world.sylk(["free", reservation.id], { env });
    change(world.repository, "a.ts");
    expect(world.commit(withToken)).toMatchObject({ status: 1, stderr: expect.stringContaining("lease.lost") });
    const args = ["commit", "-m", "x", "a.ts", "--fencing-token", String(reservation.fencingToken)];
    expect(await world.sylk(args, { env })).toMatchObject({ code: 5 });
  });

  it("by git itself is told of once, to those whom it concerns and to no others [GIT-8]", async () => {
    await using world = await gated();
    const [otter, mole] = [await world.register("otter"), await world.register("mole")];
    await otter.client.call("reservation.acquire", { paths: ["src/checkout.ts"], mode: "shared" });
    await mole.client.call("reservation.acquire", { paths: ["elsewhere.ts"] });
    change(world.repository, "src/checkout.ts");
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "s-1" }).status).toBe(0);
    const { items } = await otter.client.call("mail.inbox", { channel: "notices" });
    const [commit] = git(world.repository, ["rev-parse", "HEAD"], world.env).stdout.split("\n");
    expect(items).toMatchObject([
      { subject: "a change", content: { kind: "commit-notice", commit, paths: ["src/checkout.ts"] } },
    ]);
    expect((await mole.client.call("mail.inbox", { channel: "notices" })).items).toEqual([]);
  });

  it("with names that hold anything a file name can goes through", async () => {
    await using world = await gated();
    change(world.repository, "a b", 'quo"te', "line\nbreak", "tab\t", "*", "ünï", "-n");
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "s-1" })).toMatchObject({ status: 0, stderr: "" });
    expect(git(world.repository, ["commit", "-q", "--amend", "-m", "again"], world.env).status).toBe(0);
  });
});

describe("sylk commit", () => {
  it("asks the gate once for itself, beside the installed hook and whatever hook was there [GIT-4, HLTH-2]", async () => {
    await using world = await opened();
    const hook = join(world.repository, ".git", "hooks", "pre-commit");
    writeFileSync(hook, "#!/bin/sh\ngit diff --cached --name-only >> seen\n");
    chmodSync(hook, 0o755);
    await world.sylk(["install", "claude-code", "--yes"]);
    git(world.repository, ["config", "user.name", "Test"], world.env);
    git(world.repository, ["config", "user.email", "test@sylk.invalid"], world.env);
    await world.session("heron-session").edit("src/checkout.ts");
    appendFileSync(join(world.repository, "src/checkout.ts"), "// changed\n");
    const env = { CLAUDE_CODE_SESSION_ID: "other-session" };
    const args = ["commit", "-m", "a change", "src/checkout.ts"];
    expect(await world.sylk(args, { env })).toMatchObject({ code: 4, stderr: expect.stringContaining("is held by") });
    expect(await world.sylk([...args, "--override", "red build"], { env })).toMatchObject({ code: 0 });
    expect(await overrides(world)).toHaveLength(1);
    expect(readFileSync(join(world.repository, "seen"), "utf8")).toBe("src/checkout.ts\n");
  });
});

describe("--no-verify", () => {
  const past = ["commit", "-q", "--no-verify", "-m", "past the hook"];

  it("does not get past the gate: the branch stays, and what is free goes through [GIT-4]", async () => {
    await using world = await gated();
    await world.session("heron-session").edit("src/checkout.ts");
    change(world.repository, "src/checkout.ts");
    const env = { ...world.env, CLAUDE_CODE_SESSION_ID: "other-session" };
    const stopped = git(world.repository, past, env);
    expect(stopped).toMatchObject({ status: 128, stderr: expect.stringContaining("is held by") });
    expect(log(world.repository)).toHaveLength(1);
    expect(git(world.repository, past, { ...env, SYLK_OVERRIDE: "red build" }).status).toBe(0);
    expect(await overrides(world)).toHaveLength(1);
    change(world.repository, "free.ts");
    expect(git(world.repository, past, env)).toMatchObject({ status: 0, stderr: "" });
    change(world.repository, "src/checkout.ts");
    expect(git(world.repository, [...past, "--amend"], env).status).toBe(128);
    expect(log(world.repository)).toHaveLength(3);
  });

  it("is no matter for what others committed: branches, fast-forwards, merges and resets go on [GIT-4]", async () => {
    await using world = await gated();
    const { repository } = world;
    const own = (...args: string[]) => git(repository, args, { ...world.env, CLAUDE_CODE_SESSION_ID: "heron-session" });
    const other = (...args: string[]) => git(repository, args, { ...world.env, CLAUDE_CODE_SESSION_ID: "other" });
    await world.session("heron-session").edit("src/checkout.ts");
    expect(own("switch", "-q", "-c", "side").status).toBe(0);
    change(repository, "src/checkout.ts");
    expect(own("commit", "-q", "-m", "by its holder").status).toBe(0);
    expect(other("switch", "-q", "main").status).toBe(0);
    expect(other("merge", "-q", "--ff-only", "side")).toMatchObject({ status: 0, stderr: "" });
    expect(other("reset", "-q", "--hard", "HEAD~1").status).toBe(0);
    expect(other("merge", "-q", "--no-ff", "-m", "merged", "side")).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("past the gate", () => {
  it("goes a commit with a reason, which stands in the audit [HLTH-2]", async () => {
    await using world = await gated();
    await world.session("heron-session").edit("src/checkout.ts");
    change(world.repository, "src/checkout.ts");
    const env = { CLAUDE_CODE_SESSION_ID: "other", SYLK_OVERRIDE: "the build is red" };
    expect(world.commit(env)).toMatchObject({ status: 0, stderr: expect.stringContaining("is held by") });
    expect(await overrides(world)).toMatchObject([
      { actor: { kind: "agent" }, details: { reason: "the build is red", paths: 1, refusal: "reservation.conflict" } },
    ]);
  });

  it("goes none while the daemon is gone, unless with a reason, which the next daemon enters once [HLTH-2]", async () => {
    await using world = await gated({ daemon: "own" });
    await world.kill();
    change(world.repository, "src/checkout.ts");
    const stopped = world.commit();
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('start the daemon with "sylk up"') });
    expect(log(world.repository)).toHaveLength(1);
    expect(world.commit({ SYLK_OVERRIDE: "demo at nine" })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("kept for the audit"),
    });
    for (let starts = 0; starts < 2; starts++) {
      await world.restart();
      expect(await overrides(world)).toMatchObject([
        { details: { reason: "demo at nine", at: expect.any(Number), refusal: null } },
      ]);
      await world.kill();
    }
  });

  it("goes none while the daemon is stopped, by git or by Sylk, and nothing is granted meanwhile [GIT-4]", async () => {
    await using world = await gated({ daemon: "own" });
    await world.session("heron-session").edit("src/checkout.ts");
    expect((await world.sylk(["down"])).code).toBe(0);
    change(world.repository, "src/checkout.ts");
    const env = { CLAUDE_CODE_SESSION_ID: "other-session" };
    const past = ["commit", "-q", "--no-verify", "-m", "past the hook"];
    for (const run of [world.commit(env), git(world.repository, past, { ...world.env, ...env })]) {
      expect(run.status).not.toBe(0);
      expect(run.stderr).toMatch(/The commit is stopped.*\n.*start the daemon with "sylk up"/i);
    }
    // It starts the daemon, which knows all holds again.
    const own = await world.sylk(["commit", "-m", "a change", "src/checkout.ts"], { env });
    expect(own).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("is held by") });
    expect(log(world.repository)).toHaveLength(1);
    expect(world.commit(env)).toMatchObject({ status: 1, stderr: expect.stringContaining("is held by") });
    expect(world.commit({ CLAUDE_CODE_SESSION_ID: "heron-session" }).status).toBe(0);
  });

  it("goes everything where Sylk was never set up [HLTH-2]", async () => {
    await using world = await gated({ daemon: "own" });
    await world.kill();
    change(world.repository, "src/checkout.ts");
    const env = { SYLK_HOME: join(world.root, "nobody") };
    rmSync(world.paths.home, { recursive: true });
    expect(world.commit(env)).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("beside other hooks", () => {
  it("runs the one that was there after it, with its exit code, and gives it back [DUAL-6]", async () => {
    await using world = await opened();
    const hook = join(world.repository, ".git", "hooks", "pre-commit");
    const own = '#!/bin/sh\necho "own hook" >&2\n[ ! -e stop ] || exit 7\n';
    writeFileSync(hook, own);
    chmodSync(hook, 0o755);
    await world.sylk(["install", "claude-code", "--yes"]);
    change(world.repository, "a.ts");
    expect(world.commit()).toMatchObject({ status: 0, stderr: "own hook\n" });
    writeFileSync(join(world.repository, "stop"), "");
    change(world.repository, "a.ts");
    expect(world.commit().status).toBe(1);
    await world.sylk(["uninstall", "claude-code", "--yes"]);
    expect(existsSync(join(world.repository, ".git", "hooks", "reference-transaction"))).toBe(false);
    expect(readFileSync(hook, "utf8")).toBe(own);
    expect(existsSync(`${hook}.before-sylk`)).toBe(false);
  });

  it("stands where core.hooksPath of the repository says, and not where that of all repositories does", async () => {
    await using world = await opened();
    git(world.repository, ["config", "core.hooksPath", "my-hooks"], world.env);
    await world.sylk(["install", "claude-code", "--yes"]);
    expect(existsSync(join(world.repository, "my-hooks", "pre-commit"))).toBe(true);
    await world.sylk(["uninstall", "claude-code", "--yes"]);
    expect(existsSync(join(world.repository, "my-hooks"))).toBe(false);
    git(world.repository, ["config", "--unset", "core.hooksPath"], world.env);
    const config = join(world.root, "gitconfig");
    writeFileSync(config, `[core]\n  hooksPath = ${join(world.root, "everywhere")}\n`);
    const env = { GIT_CONFIG_GLOBAL: config };
    const { stdout } = await world.sylk(["install", "claude-code", "--yes"], { env });
    expect(stdout).toContain("core.hooksPath is set for all repositories");
    expect(existsSync(join(world.root, "everywhere"))).toBe(false);
  });
});

async function overrides({ user, repository }: ScratchDaemon) {
  const projects = (await user.call("project.list", {})).items.filter(({ path }) => path === join(repository, ".git"));
  const { items } = await user.call("audit.list", { action: "commit.overridden" });
  return items.filter(({ project }) => projects.some(({ id }) => id === project));
}

function change(tree: string, ...paths: readonly string[]): void {
  for (const path of paths) appendFileSync(join(tree, path), "// changed\n");
  git(tree, ["add", "--", ...paths.map((path) => `:(literal)${path}`)], { PATH: process.env.PATH! });
}

function git(tree: string, args: readonly string[], env: Env) {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: tree, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** As a person does it: with a terminal of its own, and no client above. */
function commitOnTerminal({ repository, env }: ScratchDaemon) {
  const line = 'git -c user.name=Test -c user.email=test@sylk.invalid commit -q -m "a change"';
  const args = ["--quiet", "--return", "--command", line, "/dev/null"];
  const { status, stdout } = spawnSync("script", args, { cwd: repository, env, encoding: "utf8" });
  return { status, stdout };
}

function log(tree: string): readonly string[] {
  return git(tree, ["log", "--format=%s"], { PATH: process.env.PATH! }).stdout.split("\n").filter(Boolean);
}

/** With the gate in its repository: on the daemon of this file, or on one of its own that may be stopped. */
async function gated({ env, ...own }: { readonly daemon?: "own"; readonly env?: Record<string, string> } = {}) {
  if (own.daemon === undefined && env === undefined) return withCommits(inOwnRepository(shared));
  const world = await opened(env);
  await install(world);
  return world;
}

async function opened(env: Record<string, string> = {}) {
  return withCommits(await openScratchDaemon({ env, commands: "as processes" }));
}

async function install(world: ScratchDaemon): Promise<void> {
  const { code, stderr } = await world.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
}

function withCommits(daemon: ScratchDaemon) {
  const { repository } = daemon;
  const added = {
    session: (session: string) => hookClient({ session, repository, env: daemon.env }),
    commit: (extra: Env = {}, tree = repository) =>
      git(tree, ["commit", "-q", "-m", "a change"], { ...daemon.env, ...extra }),
  };
  return Object.defineProperties({} as ScratchDaemon & typeof added, {
    ...Object.getOwnPropertyDescriptors(daemon),
    ...Object.getOwnPropertyDescriptors(added),
  });
}
