/** `sylk commit` in real repositories: many committers in one tree, the gate, the notices, a real daemon. */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";

type Env = Readonly<Record<string, string>>;

describe("many committers in one tree", () => {
  it("lose no edit and no commit, beside a git that stages and commits by itself [GIT-1, GIT-5, GIT-9]", async () => {
    await using daemon = await opened();
    const agents = await Promise.all(Array.from({ length: 10 }, (_, at) => daemon.register(`agent-${at}`)));
    const rounds = 4;
    const outside = commitByGit(daemon, 12);
    const done = await Promise.all(agents.map((agent, at) => commitRounds(agent, `agent-${at}`, rounds, daemon)));
    expect(await outside).toEqual([]);
    const commits = done.flat();
    expect(new Set(commits).size).toBe(agents.length * rounds);
    const history = log(daemon, "%H");
    expect(commits.filter((commit) => !history.includes(commit))).toEqual([]);
    expect(history).toHaveLength(1 + agents.length * rounds + 12);
    for (let at = 0; at < agents.length; at++)
      expect(
        git(daemon, ["show", `HEAD:agent-${at}/own.ts`])
          .stdout.trim()
          .split("\n"),
      ).toHaveLength(rounds);
    expect(git(daemon, ["status", "--porcelain"]).stdout).toBe("");
    expect(existsSync(join(daemon.repository, ".git", "index.lock"))).toBe(false);
    expect(git(daemon, ["fsck", "--strict"]).status).toBe(0);
    expect(revertedSomewhere(daemon)).toEqual([]);
  });

  it("of the same file land one after the other, and whoever comes late is told that it is done [GIT-5]", async () => {
    await using daemon = await opened();
    const agents = await Promise.all(Array.from({ length: 8 }, (_, at) => daemon.register(`agent-${at}`)));
    for (let at = 0; at < agents.length; at++) append(daemon, "shared.ts", `// line of ${at}\n`);
    const told = await Promise.all(
      agents.map(({ client }) =>
        client.call("commit.create", { message: "Add my line", paths: ["shared.ts"] }).then(
          () => "landed",
          (error: unknown) => (error as { code: string }).code,
        ),
      ),
    );
    expect(told.filter((one) => one === "landed")).toHaveLength(1);
    expect(told.filter((one) => one === "commit.nothing")).toHaveLength(7);
    expect(git(daemon, ["show", "HEAD:shared.ts"]).stdout.split("\n")).toHaveLength(9);
  });
});

describe("sylk commit", () => {
  it("without paths takes what its agent reserved, and tells whom it concerns [GIT-1, GIT-8]", async () => {
    await using daemon = await opened();
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    await heron.client.call("guard.write", { paths: ["mine.ts"] });
    append(daemon, "mine.ts", "1\n");
    append(daemon, "theirs.ts", "1\n");
    const { reservation } = await otter.client.call("reservation.acquire", { paths: ["seen.ts"], mode: "shared" });
    await otter.client.call("reservation.release", { id: reservation.id });
    const dry = await daemon.sylk(["commit", "-m", "Mine", "--dry-run", "--as", "heron"]);
    expect(dry).toMatchObject({ code: 0, stdout: "Would commit 1 file on main:\n  mine.ts\n" });
    expect(log(daemon, "%s")).toHaveLength(1);
    append(daemon, "seen.ts", "1\n");
    const made = await daemon.sylk(["commit", "-m", "Mine", "mine.ts", "seen.ts", "--as", "heron", "--json"]);
    expect(JSON.parse(made.stdout)).toMatchObject({
      branch: "main",
      paths: ["mine.ts", "seen.ts"],
      told: [{ name: "otter" }],
    });
    expect(git(daemon, ["status", "--porcelain"]).stdout).toBe("?? theirs.ts\n");
    const nothing = await daemon.sylk(["commit", "-m", "Again", "--as", "heron"]);
    expect(nothing).toMatchObject({ code: 4, stderr: expect.stringContaining("none of them reserved by you") });
  });

  it("is stopped at another's file, in whichever tree it is called, and goes on with a reason [GIT-4]", async () => {
    await using daemon = await opened();
    await daemon.register("heron");
    const otter = await daemon.register("otter");
    await otter.client.call("reservation.acquire", { paths: ["held.ts"] });
    append(daemon, "held.ts", "1\n");
    const stopped = await daemon.sylk(["commit", "-m", "x", "held.ts", "--as", "heron"]);
    expect(stopped).toMatchObject({ code: 4, stderr: expect.stringContaining("is held by otter") });
    const side = join(daemon.root, "side");
    git(daemon, ["worktree", "add", "-q", "-b", "side", side]);
    writeFileSync(join(side, "held.ts"), "1\n");
    const inSide = await daemon.sylk(["commit", "-m", "x", "held.ts", "--as", "heron"], { cwd: side });
    expect(inSide).toMatchObject({ code: 0, stdout: expect.stringContaining("side  1 file") });
    const forced = await daemon.sylk(["commit", "-m", "x", "held.ts", "--as", "heron", "--override", "red build"]);
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining("is held by otter") });
    const { items } = await daemon.user.call("audit.list", { action: "commit.overridden" });
    expect(items).toMatchObject([{ details: { reason: "red build" } }]);
  });

  it("that takes lines out of files its agent never reserved is stopped with the list; a new line is not [GIT-3]", async () => {
    await using daemon = await opened();
    const heron = await daemon.register("heron");
    writeFileSync(join(daemon.repository, "README.md"), "# Another shop\n");
    append(daemon, "src/checkout.ts", "export const more = 1;\n");
    const both = { message: "x", paths: ["README.md", "src"] };
    await expect(heron.client.call("commit.create", both)).rejects.toMatchObject({
      code: "commit.reverts",
      details: { paths: ["README.md"] },
    });
    expect(log(daemon, "%s")).toHaveLength(1);
    await heron.client.call("commit.create", { message: "more", paths: ["src"] });
    await heron.client.call("reservation.acquire", { paths: ["README.md"] });
    await heron.client.call("commit.create", { message: "mine after all", paths: ["README.md"] });
    expect(log(daemon, "%s")).toEqual(["mine after all", "more", "A small shop"]);
  });
});

async function commitRounds(
  { client }: ScratchAgent,
  name: string,
  rounds: number,
  daemon: ScratchDaemon,
): Promise<readonly string[]> {
  const commits: string[] = [];
  for (let round = 0; round < rounds; round++) {
    append(daemon, `${name}/own.ts`, `export const line${round} = ${round};\n`);
    append(daemon, `${name}/part-${round}.ts`, "1\n");
    const { commit, warnings } = await client.call("commit.create", { message: `${name} ${round}`, paths: [name] });
    expect(warnings).toEqual([]);
    commits.push(commit!);
  }
  return commits;
}

/** A person at the same tree; git itself may refuse them a lock, as it does between two people, so they try again. */
async function commitByGit(daemon: ScratchDaemon, rounds: number): Promise<readonly string[]> {
  const given: string[] = [];
  for (let round = 0; round < rounds; round++) {
    append(daemon, "person.ts", `// ${round}\n`);
    let last = "";
    for (let tries = 0; tries < 200; tries++) {
      last =
        (await run(daemon, ["add", "person.ts"])) ??
        (await run(daemon, ["commit", "-q", "-m", `person ${round}`])) ??
        "";
      if (last === "") break;
    }
    if (last !== "") given.push(last);
  }
  return given;
}

function run(daemon: ScratchDaemon, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("git", [...args], {
      cwd: daemon.repository,
      env: daemon.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("close", (code) => resolve(code === 0 ? undefined : stderr || `exit ${code}`));
  });
}

/** Commits that took a line away: in this test every edit only adds. */
function revertedSomewhere(daemon: ScratchDaemon): readonly string[] {
  return log(daemon, "", "--numstat", "--no-renames").filter((line) => !/^\d+\t0\t/.test(line));
}

function append(daemon: ScratchDaemon, path: string, text: string): void {
  mkdirSync(dirname(join(daemon.repository, path)), { recursive: true });
  appendFileSync(join(daemon.repository, path), text);
}

function log(daemon: ScratchDaemon, format: string, ...args: readonly string[]): readonly string[] {
  return git(daemon, ["log", `--format=${format}`, ...args])
    .stdout.split("\n")
    .filter(Boolean);
}

function git({ repository, env }: { readonly repository: string; readonly env: Env }, args: readonly string[]) {
  return spawnSync("git", [...args], { cwd: repository, env, encoding: "utf8" });
}

async function opened(): Promise<ScratchDaemon> {
  const daemon = await openScratchDaemon();
  git(daemon, ["config", "user.name", "Ada"]);
  git(daemon, ["config", "user.email", "ada@sylk.invalid"]);
  return daemon;
}
