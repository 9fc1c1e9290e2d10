import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { createBranchHistory } from "./branch-history.ts";
import { createGit } from "./run-git.ts";
import { env, world } from "./testkit.ts";

async function opened() {
  const at = await world();
  const history = createBranchHistory(createGit(systemClock(), env), (text) => text.includes("the gate"));
  const commit = (path: string, content: string, ...args: readonly string[]): string => {
    at.put(path, content);
    at.git("add", "--all");
    at.git("commit", "--quiet", "--message", path, ...args);
    return at.git("rev-parse", "HEAD");
  };
  return { ...at, [Symbol.dispose]: at[Symbol.dispose], history, commit };
}

it("tells where branches are, and which working tree has each", async () => {
  using at = await opened();
  at.git("branch", "side");
  const commit = at.git("rev-parse", "HEAD");
  expect(await at.history.tips(at.repository)).toEqual([
    { branch: "main", commit, tree: at.repository },
    { branch: "side", commit, tree: undefined },
  ]);
});

it("tells the commits that a branch got, without those that others have, and of an amended one what it changed", async () => {
  using at = await opened();
  const from = at.git("rev-parse", "HEAD");
  const first = at.commit("a.txt", "1\n");
  const to = at.commit("sub/ü b.txt", "2\n");
  const move = { from, to, known: [from] };
  const found = await at.history.brought(at.repository, move);
  expect(found.map(({ commit, paths }) => [commit, paths])).toEqual([
    [to, ["sub/ü b.txt"]],
    [first, ["a.txt"]],
  ]);
  expect(Math.abs(found[0]!.at - systemClock().now())).toBeLessThan(60_000);
  expect(await at.history.brought(at.repository, { ...move, known: [from, to] })).toEqual([]);
  const amended = at.commit("a.txt", "3\n", "--amend");
  const again = await at.history.brought(at.repository, { from: to, to: amended, known: [to] });
  expect(again.map(({ paths }) => paths)).toEqual([["a.txt"]]);
  expect(
    await at.history.brought(at.repository, { from: "f".repeat(40), to, known: ["f".repeat(40), first] }),
  ).toMatchObject([{ commit: to }]);
});

it("sees whether git runs the gate: in its hooks, past them by core.hooksPath, or not at all", async () => {
  using at = await opened();
  const gate = () => at.history.gate(at.repository);
  expect(await gate()).toEqual({ state: "absent" });
  const hooks = join(at.repository, ".git", "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const name of ["pre-commit", "reference-transaction"]) {
    writeFileSync(join(hooks, name), "#!/bin/sh\n# the gate\n");
    chmodSync(join(hooks, name), 0o755);
  }
  expect(await gate()).toEqual({ state: "on" });
  chmodSync(join(hooks, "pre-commit"), 0o644);
  expect(await gate(), "git runs no hook that is not executable").toEqual({ state: "absent" });
  chmodSync(join(hooks, "pre-commit"), 0o755);
  at.git("config", "core.hooksPath", "elsewhere");
  expect(await gate()).toEqual({ state: "off", why: `core.hooksPath is ${join(at.repository, "elsewhere")}` });
});
