import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createGit } from "./run-git.ts";
import { createSessionIndexes } from "./session-indexes.ts";
import { env } from "./testkit.ts";

const agent = "agt_01jd8q3m7k4x9t2v5b8n1c" as AgentId;
const dayMs = 86_400_000;

it("begins with nothing staged, is found again, and is gone when it is removed [GIT-2]", async () => {
  using at = await opened();
  at.put("b.txt", "staged by others\n");
  at.git("add", "b.txt");
  expect([at.staged(), at.indexes.owners(), at.indexes.find(agent)]).toEqual([[], [agent], at.index]);
  at.indexes.remove(agent);
  expect([existsSync(at.index.file), at.indexes.owners(), at.indexes.find(agent)]).toEqual([false, [], undefined]);
});

it("keeps what its session staged after a foreign commit, and does not undo that [GIT-2, GIT-11]", async () => {
  using at = await opened();
  at.put("a.txt", "mine\n");
  at.own("add", "a.txt");
  at.commitShared("b.txt", "theirs\n");
  expect(at.staged()).toEqual(["a.txt", "b.txt"]); // the old base: b.txt would be set back
  const rebuilt = await at.indexes.rebuild(at.index);
  expect(rebuilt).toMatchObject({ kept: ["a.txt"], unstaged: [] });
  expect(at.staged()).toEqual(["a.txt"]);
  at.own("commit", "--quiet", "--message", "mine");
  expect([at.git("show", "HEAD:a.txt"), at.git("show", "HEAD:b.txt")]).toEqual(["mine", "theirs"]);
  expect(await at.indexes.rebuild(at.index)).toMatchObject({ kept: [], unstaged: [] });
  expect(await at.indexes.rebuild(at.index)).toBeUndefined();
});

it("takes out and names a staged path that others have committed meanwhile [GIT-11]", async () => {
  using at = await opened();
  at.put("a.txt", "mine\n");
  at.own("add", "a.txt");
  at.commitShared("a.txt", "theirs\n");
  expect(await at.indexes.rebuild(at.index)).toMatchObject({ kept: [], unstaged: ["a.txt"] });
  expect(at.staged()).toEqual([]);
});

it("is built anew after a day, with what is staged, and not before [GIT-11]", async () => {
  using at = await opened();
  at.git("rm", "--quiet", "--cached", "b.txt");
  at.own("rm", "--quiet", "--cached", "a.txt");
  at.clock.advance(dayMs - 1);
  expect(await at.indexes.rebuild(at.index)).toBeUndefined();
  at.clock.advance(1);
  expect(await at.indexes.rebuild(at.index)).toMatchObject({
    index: { builtAt: at.index.builtAt + dayMs },
    kept: ["a.txt"],
  });
  expect(at.staged()).toEqual(["a.txt"]);
});

it("leaves no commit of its own to be undone from the shared index, and what others staged there alone [GIT-2]", async () => {
  using at = await opened();
  at.put("b.txt", "staged by others\n");
  at.git("add", "b.txt");
  at.put("a.txt", "mine\n");
  at.own("add", "a.txt");
  at.own("commit", "--quiet", "--message", "mine");
  await at.indexes.shareCommit(at.index, at.git("rev-parse", "HEAD"));
  expect(at.git("diff", "--cached", "--name-only")).toBe("b.txt");
});

it("waits for the end of a merge [GIT-11]", async () => {
  using at = await opened();
  at.git("branch", "side");
  at.commitShared("a.txt", "ours\n");
  await at.indexes.rebuild(at.index);
  at.git("switch", "--quiet", "side");
  at.commitShared("a.txt", "theirs\n");
  at.git("switch", "--quiet", "main");
  expect(() => at.own("merge", "side")).toThrow(/merge side/);
  at.clock.advance(dayMs);
  expect(await at.indexes.rebuild(at.index)).toBeUndefined();
  expect(at.own("ls-files", "--unmerged")).not.toBe("");
});

it("has, after any order of stagings and foreign commits, only paths staged that its session staged last [GIT-11]", async () => {
  const step = fc.record({
    who: fc.constantFrom("own", "foreign"),
    path: fc.constantFrom("a.txt", "b.txt", "sub/c.txt"),
    text: fc.constantFrom("1\n", "2\n", "3\n"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      using at = await opened();
      const own = new Map<string, string>();
      for (const { who, path, text } of steps) {
        if (who === "own") {
          at.put(path, text);
          at.own("add", path);
          own.set(path, text);
        } else if (at.committed(path) !== text.trim()) {
          at.commitShared(path, text);
          own.delete(path);
          await at.indexes.rebuild(at.index);
        }
      }
      for (const path of at.staged()) expect(at.own("show", `:${path}`)).toBe(own.get(path)?.trim());
    }),
    { numRuns: 4 },
  );
}, 60_000);

async function opened() {
  const folder = scratchFolder();
  const tree = join(folder.path, "shop");
  mkdirSync(tree);
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
      cwd: tree,
      env: { ...env, ...more },
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  const git = (...args: readonly string[]) => run(args);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  git("init", "--quiet", "--initial-branch=main");
  for (const path of ["a.txt", "b.txt"]) put(path, "0\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "one");
  const clock = manualClock();
  const indexes = createSessionIndexes({ git: createGit(clock, env), clock, folder: join(folder.path, "indexes") });
  const index = await indexes.make(tree, agent);
  const own = (...args: readonly string[]) => run(args, { GIT_INDEX_FILE: index.file });
  return {
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    clock,
    indexes,
    index,
    git,
    own,
    put,
    staged: () => own("diff", "--cached", "--name-only").split("\n").filter(Boolean),
    committed: (path: string) => (git("ls-tree", "HEAD", path) === "" ? undefined : git("show", `HEAD:${path}`)),
    /** By somebody who stages into the index that all share. */
    commitShared(path: string, text: string) {
      put(path, text);
      git("add", path);
      git("commit", "--quiet", "--message", `others: ${path}`);
    },
  };
}
