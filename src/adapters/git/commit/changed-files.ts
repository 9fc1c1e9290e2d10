/** Files of a working tree that differ from its branch, with names taken byte for byte. */
import type { ChangedFile } from "../../../coordination/commits/index.ts";
import type { Git } from "../run-git.ts";
import { notPossible } from "./commit-place.ts";

const unmerged = new Set(["DD", "AU", "UD", "UA", "DU", "AA", "UU"]);

export async function changedFiles(git: Git, tree: string, below: readonly string[]): Promise<readonly ChangedFile[]> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const text = await git(tree, [...args, "--", ...below], {
    encoding: "latin1",
    env: { GIT_LITERAL_PATHSPECS: "1" },
  });
  const rows = text.split("\0").filter((row) => row !== "");
  const torn = rows.find((row) => unmerged.has(row.slice(0, 2)));
  if (torn !== undefined)
    throw notPossible(`"${readable(torn.slice(3))}" has a conflict; resolve it, then "git add" it`, "unmerged");
  // A folder with a repository of its own that is no submodule is not ours to commit.
  return rows
    .map((row) => row.slice(3))
    .filter((bytes) => !bytes.endsWith("/"))
    .map((bytes) => ({ bytes, path: readable(bytes) }));
}

export function readable(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
