import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AgentCaller, Caller } from "../../contract/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { skillPath, skillTree } from "./skill-places.ts";

const user: Caller = { kind: "user", project: undefined };
const agentIn = (tree: string) => ({ kind: "agent", tree }) as AgentCaller;
const denied = { code: "caller.denied" };

it("reads an agent's skills from its own tree, and refuses a folder outside of it", async () => {
  using scratch = scratchFolder();
  const [tree, other] = [join(scratch.path, "shop"), join(scratch.path, "shop-2")];
  for (const folder of [tree, other, join(tree, "docs")]) mkdirSync(folder);
  symlinkSync(other, join(tree, "link"));
  expect(await skillTree(undefined, agentIn(tree))).toBe(tree);
  expect(await skillTree(join(tree, "docs"), agentIn(tree))).toBe(tree);
  for (const outside of [other, join(tree, "link"), join(tree, "..")])
    await expect(skillTree(outside, agentIn(tree))).rejects.toMatchObject(denied);
});

it("reads only the user's own skills for a user who names no folder, else those of the folder's project", async () => {
  using scratch = scratchFolder();
  expect(await skillTree(undefined, user)).toBeUndefined();
  expect(await skillTree(scratch.path, user)).toBe(scratch.path);
});

it("takes a path relative to the tree, and refuses a relative one without a tree", async () => {
  using scratch = scratchFolder();
  expect(await skillPath("skills", scratch.path, user)).toBe(join(scratch.path, "skills"));
  expect(await skillPath("/srv/skills", undefined, user)).toBe("/srv/skills");
  await expect(skillPath("skills", undefined, user)).rejects.toThrow("send an absolute path, or a folder");
  await expect(skillPath("../x", scratch.path, agentIn(scratch.path))).rejects.toMatchObject(denied);
  expect(await skillPath("missing", scratch.path, agentIn(scratch.path))).toBe(join(scratch.path, "missing"));
});
