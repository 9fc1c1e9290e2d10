/**
 * Whether what a scan was read from is still as it was: by times and sizes alone. Added and removed files change the time
 * of their folder; a commit and a switch of branches change git's log of HEAD; an installation changes a folder of programs.
 */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryAround } from "./scan-project.ts";

/** Deeper folders hold no configuration that a scan would read. */
const deepest = 3;
const programFolders = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

export function stampedPlaces(root: string, sources: readonly string[]): readonly string[] {
  const near = sources.filter((path) => path.split("/").length <= deepest + 1);
  const git = gitFolder(join(repositoryAround(root), ".git"));
  return [
    ...near.map((path) => join(root, path)),
    ...programFolders.map((path) => join(root, path)),
    ...(git === undefined ? [] : [join(git, "HEAD"), join(git, "logs", "HEAD")]),
  ];
}

export function stampOf(places: readonly string[]): string {
  return places.map(stampOfOne).join(" ");
}

/** Synchronous: some microseconds a file, where the thread pool would cost a hundred. */
function stampOfOne(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "-" : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
  } catch {
    return "?";
  }
}

/** `.git` is a file in worktrees and submodules. */
function gitFolder(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found && path;
  if (!found.isFile() || found.size > 4096) return undefined;
  const [, target] = /^gitdir: (.+)/.exec(readFileSync(path, "utf8")) ?? [];
  return target === undefined ? undefined : resolve(path, "..", target.trim());
}
