/** `sylk commit` in real repositories: many committers in one tree, the gate, the notices, a real daemon. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runWriters } from "./commit-writers.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

type Env = Readonly<Record<string, string>>;

describe("many committers in one tree", () => {
  it("lose no edit and no commit, and no lock reaches them, beside a git that commits by itself [GIT-1, GIT-5, GIT-9]", async () => {
    const { figures, problems } = await runWriters({ writers: 20, rounds: 1, mode: "paths" });
    expect(problems).toEqual([]);
    expect(figures.commits).toBe(20);
    expect(figures.byGit).toBeGreaterThan(0);
  });

  it("go one at a time where the project wants it so, and lose nothing either [GIT-5]", async () => {
    const { figures, problems } = await runWriters({ writers: 4, rounds: 2, mode: "project" });
    expect(problems).toEqual([]);
    expect(figures.commits + figures.takenAlong).toBe(8);
  });

  it("of the same file land one after the other, and a late agent is told that it is done [GIT-5]", async () => {
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
    expect(nothing).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("reserved by you; name those that are yours"),
    });
  });

  it("is stopped at another's file, in whichever tree it is called, and continues with a reason [GIT-4]", async () => {
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
