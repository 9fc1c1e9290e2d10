/**
 * Where a file really is, or would be: every link followed as the kernel follows it, `..` after the link before it.
 *
 * Synchronous: this runs before every write, and costs some microseconds where the thread pool would cost a hundred.
 */
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** As many as Linux follows. */
const mostLinks = 40;

export function realPlace(file: string): string {
  return kindOf(file) === "nothing" ? placeToBe(file) : realpathSync.native(file);
}

/** The nearest folder above a file that is there. */
export function folderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder))
    if (kindOf(folder) === "folder" || folder === dirname(folder)) return folder;
}

/** It is about to be made: below its nearest folder that is there, or where a link to nothing points. */
function placeToBe(file: string): string {
  let place: string = sep;
  let links = 0;
  const left = namesIn(file);
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = name === ".." ? dirname(place) : join(place, name);
    const target = linkAt(next);
    if (target === undefined) place = next;
    else if (++links > mostLinks) return resolve(file); // links in a circle lead to no file
    else {
      if (target.startsWith(sep)) place = sep;
      left.unshift(...namesIn(target));
    }
  }
  return place;
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== "" && name !== ".");
}

function linkAt(file: string): string | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(file) : undefined;
  } catch {
    return undefined; // a file where a folder should be, a folder that may not be entered
  }
}

function kindOf(file: string): "folder" | "file" | "nothing" {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "nothing" : found.isDirectory() ? "folder" : "file";
  } catch {
    return "nothing"; // a loop of links, a file where a folder should be, a folder that may not be entered
  }
}
