/** Where a folder's working tree and its repository are, and a key that changes whenever git's own state does. */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/index.ts";
import type { HashKind } from "./blob-hash.ts";
import type { IndexGit } from "./ports.ts";

export type TreePlace = {
  readonly tree: string;
  /** Shared by all working trees of the repository. */
  readonly common: string;
  /** Of this working tree alone. */
  readonly gitFolder: string;
  readonly hashKind: HashKind;
};

export async function locateTree(git: IndexGit, folder: string): Promise<TreePlace> {
  const asked = ["--show-toplevel", "--git-common-dir", "--git-dir", "--show-object-format"];
  const said = await git(folder, ["rev-parse", "--path-format=absolute", ...asked]).catch((cause: unknown) => {
    throw cause instanceof DomainError ? cause : notATree(folder, cause);
  });
  const [tree = "", common = "", gitFolder = "", kind] = said.split("\n");
  return { tree, common, gitFolder, hashKind: kind === "sha256" ? "sha256" : "sha1" };
}

function notATree(folder: string, cause: unknown): DomainError {
  return new DomainError(
    "workspace.unavailable",
    `The code index lists files by git, and ${folder} is not in a working tree. "git init" makes it one`,
    { details: { tree: folder }, cause },
  );
}

/** Files that git writes when the index, the commit, the branch or what is ignored changes. */
const watchedFiles = ["HEAD", "index", "logs/HEAD"];
const sharedFiles = ["packed-refs", "info/exclude", "config", "reftable"];

export function gitKey({ tree, common, gitFolder }: TreePlace, branch: string | undefined): string {
  const files = [
    join(tree, ".git"),
    ...watchedFiles.map((name) => join(gitFolder, name)),
    ...sharedFiles.map((name) => join(common, name)),
    ...(branch === undefined ? [] : [join(common, "refs/heads", branch)]),
  ];
  const hash = createHash("sha1");
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    const isOfTree = file.endsWith("/.git"); // a folder in it changes without meaning anything
    hash.update(
      found === undefined ? "-" : isOfTree ? `${found.ino} ` : `${found.ino} ${found.size} ${found.mtimeNs} `,
    );
  }
  return hash.digest("base64");
}
