/** Turns a path as typed in the current folder into the path from the repository's root, which reservations name. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { invalidInput } from "../../contract/errors.ts";

export function repositoryPath(typed: string, cwd: string): string {
  const root = treeRoot(cwd);
  const path = relative(root, resolve(cwd, typed)).split(sep).join("/");
  if (path === "" || path === ".." || path.startsWith("../") || isAbsolute(path)) {
    throw invalidInput("paths", "must lie inside the repository", {
      sentence: `"${typed}" is not a file inside ${root}; name a file or a glob below it`,
    });
  }
  return path;
}

/** Where the repository around a folder begins; the folder itself where there is none. */
export function treeRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
