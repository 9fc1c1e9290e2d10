/**
 * A file as a tool names it -> its path from the root of the working tree, links resolved; the file need not exist yet.
 *
 * Synchronous: this runs before every write, and costs some microseconds where the thread pool would cost a hundred.
 */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Undefined for what is not in the tree. */
export function treePath(file: string, tree: string): string | undefined {
  const path = relative(tree, realPlace(resolve(tree, file)));
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return path.split(sep).join("/").normalize("NFC");
}

/** Where a file really is, or would be. */
export function realPlace(file: string): string {
  const parent = dirname(file);
  const isThere = kindOf(file) !== "nothing";
  if (!isThere) return parent === file ? file : join(realPlace(parent), basename(file)); // it is about to be made
  return realpathSync.native(file);
}

/** The nearest folder above a file that is there. */
export function folderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder))
    if (kindOf(folder) === "folder" || folder === dirname(folder)) return folder;
}

function kindOf(file: string): "folder" | "file" | "nothing" {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
  } catch {
    return "nothing"; // a loop of links, a file where a folder should be, a folder that may not be entered
  }
}
