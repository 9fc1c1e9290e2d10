/** A file as a tool names it -> its path from the root of the working tree, links resolved; the file need not exist yet. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { InvalidPattern, normalizePath } from "../path-pattern/index.ts";

/** Undefined for what is not in the tree. */
export async function treePath(file: string, tree: string): Promise<string | undefined> {
  const path = relative(tree, await realPlace(resolve(tree, file)));
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return path.split(sep).join("/").normalize("NFC");
}

/** Where a file really is, or would be. */
export async function realPlace(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = dirname(file);
    return parent === file ? file : join(await realPlace(parent), basename(file)); // it is about to be made
  }
}

/** The nearest folder above a file that is there. */
export async function folderOf(file: string): Promise<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere || folder === dirname(folder)) return folder;
  }
}

/** Nobody can hold a file with a name that cannot be reserved, such as one with a line break. */
export function canBeHeld(path: string): boolean {
  try {
    normalizePath(path);
    return true;
  } catch (error) {
    if (error instanceof InvalidPattern) return false;
    throw error;
  }
}
