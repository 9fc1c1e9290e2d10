/**
 * A file as any caller names it -> its path from the root of the working tree, links resolved; it need not exist yet.
 *
 *   ./src/link.ts, src/../lib/a.ts, /repo/lib/a.ts   -> lib/a.ts
 *   café with a combining accent                     -> café in one letter, unless the disk has both as two files
 *
 * Every surface names files by this one function: hooks, HTTP, MCP, the command line, the commit gate.
 */
import { lstatSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { realPlace } from "./real-place.ts";

/** Undefined for what is not in the tree. */
export function treePath(file: string, tree: string): string | undefined {
  // Not path.resolve: it would take ".." back before the link in front of it is followed.
  const path = relative(tree, realPlace(isAbsolute(file) ? file : `${tree}${sep}${file}`));
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return gitPath(path.split(sep).join("/"), tree);
}

/** A path as git names it, which follows no link: a link in a commit is the link itself. */
export function gitPath(path: string, tree: string): string {
  const usual = path.normalize("NFC");
  if (usual === path) return path;
  const names = path.split("/");
  return names
    .map((name, index) => {
      const composed = name.normalize("NFC");
      const isItself = composed !== name && areTwo(join(tree, ...names.slice(0, index)), name, composed);
      return isItself ? name : composed;
    })
    .join("/");
}

/** Two spellings of a name are two files where the file system says so. */
function areTwo(folder: string, one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => look(join(folder, name)));
  return first !== undefined && second !== undefined && (first.ino !== second.ino || first.dev !== second.dev);
}

function look(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a file where a folder should be, a folder that may not be entered
  }
}
