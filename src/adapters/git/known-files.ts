/** The files of a tree that git knows: tracked ones, and new ones that it does not ignore. */
import { DomainError } from "../../contract/index.ts";
import type { Git } from "./run-git.ts";

export function filesKnownTo(git: Git): (tree: string) => Promise<readonly string[]> {
  return async (tree) => {
    const listed = await git(tree, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).catch(
      refuseFolder,
    );
    return listed.split("\0").filter(Boolean);
  };
}

function refuseFolder(cause: unknown): never {
  if (cause instanceof DomainError) throw cause;
  throw new DomainError(
    "workspace.unavailable",
    'The librarian lists files by git, and this folder is not a repository. "git init" makes it one',
    { cause },
  );
}
