/** Names say what a file is for: kebab-case, and none of the words that fit anything. */
import { globSync } from "node:fs";
import { basename, sep } from "node:path";
import type { Check } from "./check.ts";

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const EMPTY_WORDS = /^((.+-)?(utils?|helpers?|manager)|common|misc|service\d+|new-.+|(.+-)?v\d+)$/;
/** Names that people and tools expect in capitals. */
const CONVENTIONAL = new Set(["README.md", "SKILL.md", "AGENTS.md", "CLAUDE.md"]);

export const fileNames: Check = {
  name: "names",
  run: (root) => {
    const patterns = ["src", "dashboard/src", "dashboard/public", "scripts", "test", "bench", "bin"].map(
      (folder) => `${folder}/**/*`,
    );
    const paths = globSync(patterns, { cwd: root, exclude: (path) => path === "node_modules" });
    return Promise.resolve(paths.toSorted().flatMap((path) => problemWith(path.split(sep).join("/"))));
  },
};

function problemWith(path: string): string[] {
  const name = basename(path);
  const [stem = ""] = name.split(".");
  if (CONVENTIONAL.has(name)) return [];
  if (EMPTY_WORDS.test(stem) || name === "types.ts")
    return [`${path}: the name fits anything; find the concept it holds`];
  return KEBAB.test(name) ? [] : [`${path}: file and folder names are kebab-case`];
}
