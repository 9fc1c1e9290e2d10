import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTreeMemory } from "./tree-memory.ts";

function repository() {
  const folder = scratchFolder();
  mkdirSync(join(folder.path, ".git"));
  writeFileSync(join(folder.path, ".git", "HEAD"), "ref: refs/heads/main\n");
  return folder;
}

/** git that answers when it is told to. */
function slowGit() {
  const asked: ((count: number | undefined) => void)[] = [];
  return { asked, count: () => new Promise<number | undefined>((resolve) => void asked.push(resolve)) };
}

it("does not wait for a git that is slow: what it says stands in the next line, for a minute [STAT-1]", async () => {
  using folder = repository();
  const clock = manualClock();
  const { asked, count } = slowGit();
  const treeOf = createTreeMemory(clock, count);
  const drawn = async (pass: () => void) => {
    const tree = treeOf(folder.path);
    pass();
    return tree;
  };
  expect(await drawn(() => clock.advance(20))).toEqual({ branch: "main", changed: undefined });
  asked[0]!(3);
  expect(await drawn(() => {})).toEqual({ branch: "main", changed: 3 });
  expect(asked).toHaveLength(1);
  clock.advance(2_000);
  expect(await drawn(() => clock.advance(20))).toEqual({ branch: "main", changed: 3 });
  expect(asked).toHaveLength(2);
  clock.advance(60_000);
  expect(await drawn(() => clock.advance(20))).toEqual({ branch: "main", changed: undefined });
});

it("reads the branch each time, and takes what git says in time [STAT-1]", async () => {
  using folder = repository();
  const treeOf = createTreeMemory(manualClock(), async () => 0);
  expect(await treeOf(folder.path)).toEqual({ branch: "main", changed: 0 });
  writeFileSync(join(folder.path, ".git", "HEAD"), "ref: refs/heads/side\n");
  expect(await treeOf(folder.path)).toEqual({ branch: "side", changed: 0 });
  expect(await treeOf("/nowhere/at/all")).toBeUndefined();
});
