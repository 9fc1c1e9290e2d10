/**
 * Files of the tree that a write reaches by another name: through a symbolic link among the names of a glob, or because the
 * written file is a hard link.
 */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { posix } from "node:path";
import { splitGlob } from "../../coordination/tree-paths/index.ts";
import { mayMatch } from "./follow-links.ts";

/** A glob over more entries is looked at no further: its links are left to the watch. */
const mostEntries = 300;
const passedBy = new Set(["node_modules", ".git"]);

/** Where the links lead that the glob names. */
export function linkedFrom(glob: string): readonly string[] {
  const { folder, rest } = splitGlob(glob);
  const deepest = rest.includes("**") ? 4 : rest.length;
  const found: string[] = [];
  let left = mostEntries;
  const open = [{ place: folder, depth: 1 }];
  for (let next = open.pop(); next !== undefined && left > 0; next = open.pop())
    for (const entry of entriesOf(next.place)) {
      if (--left < 0) break;
      const path = posix.join(next.place, entry.name);
      if (entry.isSymbolicLink() && mayMatch(glob, path)) found.push(...targetOf(path));
      else if (entry.isDirectory() && next.depth < deepest && !passedBy.has(entry.name))
        open.push({ place: path, depth: next.depth + 1 });
    }
  return found;
}

/** Whether the file has a second name somewhere. */
export function isHardLinked(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.isFile() && stats.nlink > 1;
  } catch {
    return false; // not ours to look at
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or not a folder
  }
}

function targetOf(link: string): readonly string[] {
  try {
    return [realpathSync(link)];
  } catch {
    return []; // it leads nowhere yet
  }
}
