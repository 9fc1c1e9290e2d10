import { expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { filesKnownTo } from "./known-files.ts";
import { createGit } from "./run-git.ts";
import { env, world } from "./testkit.ts";

const list = filesKnownTo(createGit(systemClock(), env));

it("lists tracked and new files, and none that git ignores", async () => {
  using at = await world();
  at.put("new file.txt", "new\n");
  at.put("ignored/secret.txt", "secret\n");
  expect((await list(at.repository)).toSorted()).toEqual([".gitignore", "a.txt", "new file.txt", "sub/b.txt"]);
});

it("refuses a folder that is not a repository, and says what makes it one", async () => {
  using folder = scratchFolder();
  await expect(list(folder.path)).rejects.toMatchObject({
    code: "workspace.unavailable",
    message: expect.stringContaining('"git init" makes it one'),
  });
});
