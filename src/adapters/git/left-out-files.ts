/**
 * Files of a run's tree that are not part of its change: a check wrote them, such as coverage or a cache.
 *
 *   tree before a check -> mark -> check -> tree after it: what is new -> record in git's folder of the worktree
 *   content of the tree -> added files whose content is still as recorded are left out
 *
 * An Engineer that writes such a file changes its content, so it is part of the change again. Nothing is deleted.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./run-git.ts";

const recordFile = "sylk-left-out.json";
/** The content before a check that has not ended. */
const markFile = "sylk-before-check";
/** Interpreters and linters fill these, also when an Engineer runs the tests. */
const caches = /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)\//;

type Blobs = Readonly<Record<string, string>>;
type IndexEnv = { readonly GIT_INDEX_FILE: string };

export function markCheck(folder: string, content: string): void {
  writeFileSync(join(folder, markFile), content);
}

/** The content before a check that ended, or was killed; undefined if none ran. */
export function markedContent(folder: string): string | undefined {
  const file = join(folder, markFile);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Records the files that are in the tree object `after` and not in `before`, and takes the mark away. */
export async function recordNewFiles(
  git: Git,
  { tree, folder, before, after }: Readonly<Record<"tree" | "folder" | "before" | "after", string>>,
): Promise<void> {
  const added = await addedBlobs(git, tree, ["diff", "--raw", "--no-abbrev", "--no-renames", "-z", before, after]);
  const file = join(folder, recordFile);
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(added)));
  renameSync(`${file}.new`, file);
  rmSync(join(folder, markFile), { force: true });
}

/** Removes from a throw-away index what is not part of the change. */
export async function leaveOut(git: Git, tree: string, folder: string, env: IndexEnv): Promise<void> {
  const file = join(folder, recordFile);
  const known: Blobs = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Blobs) : {};
  const args = ["diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z", "HEAD"];
  const added = await addedBlobs(git, tree, args, env);
  const left = added.filter(([path, blob]) => known[path] === blob || caches.test(path)).map(([path]) => path);
  if (left.length === 0) return;
  await git(tree, ["update-index", "-z", "--force-remove", "--stdin"], { env, input: `${left.join("\0")}\0` });
}

/** Paths are read as `latin1`, which keeps names that are not UTF-8 whole. */
async function addedBlobs(
  git: Git,
  tree: string,
  args: readonly string[],
  env?: IndexEnv,
): Promise<readonly (readonly [string, string])[]> {
  const parts = (await git(tree, args, { encoding: "latin1", ...(env === undefined ? {} : { env }) })).split("\0");
  const added: [string, string][] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, , , blob = "", kind] = parts[index]!.split(" ");
    if (kind === "A") added.push([parts[index + 1]!, blob]);
  }
  return added;
}
