/** Files of a working tree that differ from its branch, with names taken byte for byte. */
import type { ChangedFile } from "../../../coordination/commits/index.ts";
import { DomainError, invalidInput } from "../../../contract/index.ts";
import { GitFailed, type Git } from "../run-git.ts";
import { notPossible } from "./commit-place.ts";

const unmerged = new Set(["DD", "AU", "UD", "UA", "DU", "AA", "UU"]);

/** So many long names still fit on a command line. */
const mostAtOnce = 50;

export async function changedFiles(git: Git, tree: string, below: readonly string[]): Promise<readonly ChangedFile[]> {
  const found = new Map<string, ChangedFile>();
  for (let at = 0; at === 0 || at < below.length; at += mostAtOnce)
    for (const file of await changedBelow(git, tree, below.slice(at, at + mostAtOnce))) found.set(file.bytes, file);
  return [...found.values()];
}

async function changedBelow(git: Git, tree: string, below: readonly string[]): Promise<readonly ChangedFile[]> {
  const text = await statusOf(git, tree, below);
  const rows = text.split("\0").filter((row) => row !== "");
  const torn = rows.find((row) => unmerged.has(row.slice(0, 2)));
  if (torn !== undefined)
    throw notPossible(`"${readable(torn.slice(3))}" has a conflict; resolve it, then "git add" it`, "unmerged");
  // A folder with a repository of its own that is not a submodule is not ours to commit.
  return rows
    .map((row) => row.slice(3))
    .filter((bytes) => !bytes.endsWith("/"))
    .map((bytes) => ({ bytes, path: readable(bytes) }));
}

async function statusOf(git: Git, tree: string, below: readonly string[]): Promise<string> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  try {
    return await git(tree, [...args, "--", ...below], { encoding: "latin1", env: { GIT_LITERAL_PATHSPECS: "1" } });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const said = error.stderr.trim().slice(0, 300);
    if (/not a git repository|work tree/.test(said))
      throw new DomainError("workspace.unavailable", `${tree} is not a git working tree; commit inside one`, {
        details: { tree },
        cause: error,
      });
    throw invalidInput("paths", `git cannot read this tree: ${said}`, { cause: error });
  }
}

export function readable(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
