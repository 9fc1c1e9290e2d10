/** Our shell scripts are POSIX sh: `sh -n` parses them, and none uses what only bash and its kin know. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Check } from "./check.ts";

/** `sh -n` takes these as plain words; a strict sh fails on them only when the line runs. */
const NOT_POSIX: readonly (readonly [RegExp, string])[] = [
  [/(^|[\s;(])\[\[\s/, "[[ is not POSIX; use ["],
  [/^\s*(local|declare|typeset|function|source)\s/, "not a command of POSIX sh"],
  [/\becho\s+-[neE]/, "options of echo differ between shells; use printf"],
  [/<<<|&>|\$'/, "not POSIX syntax"],
  [/\$\{\w+(\/|\^|,|:\d|\[)/, "not a POSIX parameter expansion"],
];

export const shellScripts: Check = {
  name: "shell",
  run: (root) => {
    const paths = globSync("{src,scripts,bin,.ci}/**/*.sh", { cwd: root }).map((path) => path.split(sep).join("/"));
    return Promise.resolve(paths.toSorted().flatMap((path) => problemsIn(root, path)));
  },
};

function problemsIn(root: string, path: string): string[] {
  const parsed = spawnSync("sh", ["-n", path], { cwd: root, encoding: "utf8" });
  const syntax = parsed.status === 0 ? [] : [`${path}: ${(parsed.stderr || String(parsed.error)).trim()}`];
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const odd = lines.flatMap((line, index) =>
    NOT_POSIX.filter(([pattern]) => pattern.test(line)).map(([, reason]) => `${path}:${index + 1}: ${reason}`),
  );
  return [...syntax, ...odd];
}
