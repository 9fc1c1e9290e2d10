/**
 * The folders in and below one of a working tree, without git's own, those it ignores and repositories in it. Breadth first,
 * so that what is left out beyond the bound is what lies deepest.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

type Below = { readonly folders: readonly string[]; readonly isCut: boolean };

export async function foldersBelow(
  tree: string,
  folder: string,
  { isIgnored, most }: { readonly isIgnored: (path: string) => boolean; readonly most: number },
): Promise<Below> {
  const folders = [folder];
  for (let index = 0; index < folders.length; index++) {
    const above = folders[index]!;
    for (const name of await foldersIn(join(tree, above), { isRoot: above === "" })) {
      const path = above === "" ? name : `${above}/${name}`;
      if (isIgnored(path)) continue;
      if (folders.length >= most) return { folders, isCut: true };
      folders.push(path);
    }
  }
  return { folders, isCut: false };
}

/** None of a folder that is gone or may not be read, and of one that is a repository of its own. */
async function foldersIn(folder: string, { isRoot }: { readonly isRoot: boolean }): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (!isRoot && entries.some(({ name }) => name === ".git")) return [];
  return entries.filter((entry) => entry.isDirectory() && entry.name !== ".git").map(({ name }) => name);
}
