/** What a new session finds of sessions that are gone: worktrees nobody owns, work in progress, throw-away files. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

it("cleans what is safe, keeps what was unsaved, and tells it in one sentence [CRSH-2]", async () => {
  await using world = await opened();
  const clean = addTree(world, "clean");
  const unsaved = addTree(world, "unsaved");
  writeFileSync(join(unsaved, "src", "checkout.ts"), "export const total = 41;\n");
  writeFileSync(join(unsaved, "new.ts"), "export const fresh = true;\n");
  const committed = addTree(world, "committed");
  writeFileSync(join(committed, "only-here.ts"), "export const kept = true;\n");
  git(committed, "add", ".");
  git(committed, "commit", "-q", "-m", "only on this branch");
  const stray = join(world.temp, "sylk-index-abc");
  mkdirSync(stray);
  utimesSync(stray, 1_000, 1_000);
  const young = join(world.temp, "sylk-index-now");
  mkdirSync(young);

  const line = await world.told("s-1");

  expect(existsSync(clean)).toBe(false);
  expect(git(world.repository, "branch", "--list", "sylk/*")).toBe("");
  for (const tree of [unsaved, committed]) expect(existsSync(tree)).toBe(false);
  const kept = (name: string, path: string): string =>
    git(world.repository, "show", `refs/sylk/quarantine/${name}:${path}`);
  expect(kept("unsaved", "src/checkout.ts")).toBe("export const total = 41;\n");
  expect(kept("unsaved", "new.ts")).toBe("export const fresh = true;\n");
  expect(kept("committed", "only-here.ts")).toBe("export const kept = true;\n");
  expect([existsSync(stray), existsSync(young)]).toEqual([false, true]);
  expect(line).toMatch(
    /^Sylk: you are \w+\. No other agents here\. From dead sessions: 2 leftovers without unsaved work removed; unsaved work put into quarantine as refs\/sylk\/quarantine\/committed, refs\/sylk\/quarantine\/unsaved\.$/m,
  );
  expect(await world.told("s-2")).not.toContain("dead sessions");
});

it("puts a tree away once when eight sessions begin at the same moment [CRSH-2]", async () => {
  await using world = await opened();
  const unsaved = addTree(world, "unsaved");
  writeFileSync(join(unsaved, "new.ts"), "export const fresh = true;\n");
  const lines = await Promise.all(Array.from({ length: 8 }, (_, index) => world.told(`s-${index}`)));
  expect(lines.filter((line) => line.includes("refs/sylk/quarantine/unsaved"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("could not be examined"))).toEqual([]);
});

it("keeps the working tree that an agent asked for until it has ended, then sweeps it [GIT-9]", async () => {
  await using world = await opened();
  const heron = await world.register("heron");
  const { worktree } = await heron.client.call("worktree.create", {});
  writeFileSync(join(worktree.tree, "new.ts"), "export const fresh = true;\n");
  expect(await world.told("s-1")).not.toContain("dead sessions");
  await heron.client.call("agent.end", { id: heron.agent.id });
  const reference = `refs/sylk/quarantine/${worktree.branch.replace("sylk/", "")}`;
  expect(await world.told("s-2")).toContain(reference);
  expect(existsSync(worktree.tree)).toBe(false);
  expect(git(world.repository, "show", `${reference}:new.ts`)).toBe("export const fresh = true;\n");
});

it("names work in progress without an owner [CRSH-2]", async () => {
  await using world = await opened();
  const heron = await world.register("heron");
  const { workItem } = await heron.client.call("work-item.create", { title: "Rate-limit POST /orders" });
  await heron.client.call("work-item.claim", { id: workItem.id });
  await heron.client.call("work-item.unclaim", { id: workItem.id });
  expect(await world.told("s-1")).toContain(`1 work item in progress without an owner (${workItem.id}; "sylk ready")`);
});

it("touches no worktree that is not ours, of another repository, or on a branch of the user's own", async () => {
  await using world = await opened();
  const other = world.addRepository("other");
  const folder = join(world.paths.home, "worktrees");
  mkdirSync(folder, { recursive: true });
  git(other, "worktree", "add", "-q", "-b", "sylk/theirs", join(folder, "theirs"));
  git(world.repository, "worktree", "add", "-q", "-b", "mine", join(folder, "mine"));
  git(world.repository, "worktree", "add", "-q", "-b", "sylk/elsewhere", join(world.root, "elsewhere"));
  expect(await world.told("s-1")).not.toContain("dead sessions");
  for (const tree of [join(folder, "theirs"), join(folder, "mine"), join(world.root, "elsewhere")])
    expect(existsSync(tree)).toBe(true);
});

type World = ScratchDaemon & { readonly temp: string; told(session: string): Promise<string> };

async function opened(): Promise<World> {
  const temp = mkdtempSync(join(tmpdir(), "sy-temp-"));
  const daemon = await openScratchDaemon({ env: { TMPDIR: temp } });
  await daemon.sylk(["install", "claude-code", "--yes"]);
  const told = async (session: string): Promise<string> => {
    const { stdout } = await hookClient({ session, repository: daemon.repository, env: daemon.env }).start();
    return (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
      .additionalContext;
  };
  return Object.defineProperties({} as World, {
    ...Object.getOwnPropertyDescriptors(daemon),
    temp: { value: temp },
    told: { value: told },
    [Symbol.asyncDispose]: {
      async value() {
        await daemon[Symbol.asyncDispose]();
        rmSync(temp, { recursive: true, force: true });
      },
    },
  });
}

/** A worktree as a run makes it, of a run that nobody remembers. */
function addTree({ paths, repository }: ScratchDaemon, name: string): string {
  const tree = join(paths.home, "worktrees", name);
  mkdirSync(join(paths.home, "worktrees"), { recursive: true });
  git(repository, "worktree", "add", "-q", "-b", `sylk/${name}`, tree);
  writeFileSync(join(git(tree, "rev-parse", "--absolute-git-dir").trim(), "sylk-whole"), "");
  return tree;
}

function git(tree: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid", "-c", "core.hooksPath=/dev/null"];
  return execFileSync("git", [...identity, ...args], { cwd: tree, encoding: "utf8" });
}
