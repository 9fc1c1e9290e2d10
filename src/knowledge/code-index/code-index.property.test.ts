import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexWatcher, WatcherTold } from "./ports.ts";
import { everythingOf, gitIn, openScratchIndex, scratchRepository, write } from "./testkit.ts";

const paths = ["a.ts", "b.ts", "lib/a.ts", "lib/deep/c.ts", "docs/read me.md", "é.ts"];
const lines = [
  "export function alpha() { return beta(); }",
  "function beta() { value(); }",
  "export const gamma = 1; // a value of its own",
  'import { alpha } from "./a.ts"',
  "alpha(); other();",
  "value value value",
];
const path = fc.constantFrom(...paths);
const content = fc
  .array(fc.constantFrom(...lines), { maxLength: 4 })
  .map((some) => some.map((one) => `${one}\n`).join(""));
const tree = fc.constantFrom("main", "other");

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), tree, path, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), tree, path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), tree, path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove-folder" as const), tree }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("commit" as const), tree }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("switch" as const), tree, branch: fc.constantFrom("one", "two") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("ignore" as const), tree, path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("link" as const), tree, path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stash" as const), tree }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ask" as const), tree }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What cannot be done there is not done. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // git refuses to switch over changes, a file is a folder by now
  }
}

function take(one: Exclude<Step, { do: "ask" }>, folder: string): void {
  switch (one.do) {
    case "write":
      return attempt(() => write(folder, { [one.path]: one.content }));
    case "remove":
      return attempt(() => rmSync(join(folder, one.path), { force: true }));
    case "move":
      return attempt(() => renameSync(join(folder, one.path), join(folder, one.to)));
    case "remove-folder":
      return attempt(() => rmSync(join(folder, "lib"), { recursive: true, force: true }));
    case "commit":
      return attempt(
        () => void (gitIn(folder, "add", "--all"), gitIn(folder, "commit", "--quiet", "--message", "more")),
      );
    case "switch":
      return attempt(
        () => void gitIn(folder, "switch", "--quiet", "-C", `${one.branch}-${folder.endsWith("other") ? "o" : "m"}`),
      );
    case "ignore":
      return attempt(() => write(folder, { ".gitignore": `${one.path}\n` }));
    case "link":
      return attempt(() => {
        rmSync(join(folder, one.path), { force: true });
        mkdirSync(join(folder, "lib"), { recursive: true });
        symlinkSync("/etc/passwd", join(folder, one.path));
      });
    case "stash":
      return attempt(() => void gitIn(folder, "stash", "--quiet", "--include-untracked"));
  }
}

it("after any edits, branch switches and worktrees the index equals a fresh one, and reading changed no file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.boolean(), async (steps, isWatched) => {
      using at = scratchRepository({ "a.ts": `${lines[0]}\n`, "lib/a.ts": `${lines[1]}\n` });
      gitIn(at.tree, "branch", "one-m");
      gitIn(at.tree, "worktree", "add", "--quiet", join(at.root, "other"));
      const folders = { main: at.tree, other: join(at.root, "other") };
      const { told, openWatcher } = handWatcher();
      const live = openScratchIndex(at.home("live"), isWatched ? { openWatcher } : {});
      for (const one of steps) {
        if (one.do === "ask") await everythingOf(live, folders[one.tree]);
        else {
          take(one, folders[one.tree]);
          for (const changed of touchedBy(one)) told()?.onChange(folders[one.tree], changed);
        }
      }
      const before = [stateOf(folders.main), stateOf(folders.other)];
      for (const [which, folder] of Object.entries(folders)) {
        const fresh = openScratchIndex(at.home(`fresh-${which}`));
        expect(await everythingOf(live, folder)).toEqual(await everythingOf(fresh, folder));
        await fresh.stop();
      }
      expect([stateOf(folders.main), stateOf(folders.other)]).toEqual(before);
      await live.stop();
    }),
    { numRuns: 16 },
  );
});

/** A watcher that is told by hand what a step has touched. */
function handWatcher() {
  let heard: WatcherTold | undefined;
  return {
    told: () => heard,
    openWatcher(told: WatcherTold): IndexWatcher {
      heard = told;
      return { watch: async () => {}, stop: () => {} };
    },
  };
}

/** As the kernel names it; what git does itself is seen by git's own files. */
function touchedBy(one: Exclude<Step, { do: "ask" }>): readonly string[] {
  if (one.do === "ignore") return [".gitignore"];
  if (one.do === "remove-folder") return ["lib"];
  return "path" in one ? [one.path, ...("to" in one ? [one.to] : [])] : [];
}

/** Every file with its content's time and size, git's own files included. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mtimeNs, size, mode } = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false }) ?? {};
      return `${name} ${mtimeNs} ${size} ${mode}`;
    });
}
