import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createAgentWorktrees, ownersIn } from "./agent-worktrees.ts";
import { createGit } from "./run-git.ts";
import { env, world } from "./testkit.ts";

const agent = "agt_01jd8q3m7k4x9t2v5b8n1c" as AgentId;

async function opened() {
  const at = await world();
  const folder = join(at.folder.path, "trees");
  const worktrees = createAgentWorktrees({ git: createGit(systemClock(), env), workspaces: at.workspaces, folder });
  const made = (await worktrees.make(at.repository, { agent, name: "work" })).worktree;
  return { ...at, [Symbol.dispose]: at[Symbol.dispose], trees: folder, worktrees, made };
}

it("is made once, listed with its owner, and goes when it is clean and its commit is elsewhere [GIT-9]", async () => {
  using at = await opened();
  expect(at.git("-C", at.made.tree, "branch", "--show-current")).toBe(at.made.branch);
  expect(await at.worktrees.make(at.repository, { agent, name: "work" })).toMatchObject({ isNew: false });
  expect(await at.worktrees.list(at.repository)).toEqual([at.made]);
  expect([...ownersIn(at.trees)]).toEqual([[at.made.tree, agent]]);
  expect(await at.worktrees.remove(at.made.tree, at.made)).toEqual({ quarantined: undefined });
  expect(existsSync(at.made.tree)).toBe(false);
  expect(await at.worktrees.list(at.repository)).toEqual([]);
});

it("is kept by a reference where something in it is not saved elsewhere [GIT-9]", async () => {
  using at = await opened();
  writeFileSync(join(at.made.tree, "new.txt"), "unsaved\n");
  const { quarantined } = await at.worktrees.remove(at.repository, at.made);
  expect(existsSync(at.made.tree)).toBe(false);
  expect(at.git("show", `${quarantined}:new.txt`)).toBe("unsaved");
});
