/** Names of tools in a repository's own settings, which may be anything on the disk. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { choicesIn } from "./tool-choices.ts";

it.each<[string, (file: string, root: string) => void, readonly string[]]>([
  ["a list", (file) => writeFileSync(file, "tools:\n  prefer: ruff, black\n"), ["own", "ruff", "black"]],
  ["a pipe that no program writes to", (file) => void execFileSync("mkfifo", [file]), ["own"]],
  [
    "a link that leads out of the repository",
    (file, root) => {
      writeFileSync(join(root, "outside.yaml"), "tools:\n  prefer: evil\n");
      symlinkSync(join(root, "outside.yaml"), file);
    },
    ["own"],
  ],
])("the session's own name comes first, then those of %s", async (_what, make, linters) => {
  using folder = scratchFolder();
  const tree = join(folder.path, "shop");
  mkdirSync(join(tree, ".sylk"), { recursive: true });
  execFileSync("git", ["init", "--quiet", tree]);
  make(join(tree, ".sylk", "config.yaml"), folder.path);
  const { chosen, preferred } = await choicesIn(tree, { session: { linter: "own" }, user: "prettier" });
  expect([chosen.linter, preferred]).toEqual([linters, ["prettier"]]);
});
