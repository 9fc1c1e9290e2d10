/**
 * Holds -> places on the disk that must be read-only, and those that cannot be.
 *
 *   path     the file; a link: the file it leads to, if that is in the tree
 *   src/**   the folder src with everything in it, also what does not exist yet
 *   src/*.ts the files that match now
 *
 * Every folder above such a place, inside the tree, is pinned. Synchronous: this runs before a shell command, and costs
 * microseconds for each file where the thread pool would cost a hundred.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { glob, matches } from "../globs/index.ts";
import { foldsCase, spelling } from "../tree-paths/index.ts";
import type { HeldPlaces } from "./confinement.ts";
import type { ForeignHold } from "./foreign-holds.ts";

export type PlacedHolds = HeldPlaces & { readonly exceptions: readonly string[] };

const mostPlaces = 5_000;
/** The daemon has others to answer meanwhile. */
const mostLooked = 10_000;
const special = /[*?[\]{}\\]/;
/** Never read-only as a whole: a session must be able to commit what is its own. */
const leftOpen = new Set([".git"]);
/** Not looked into for a glob: it is large, and no agent's work. */
const leftOut = new Set([".git", "node_modules"]);

export function heldPlaces(tree: string, holds: readonly ForeignHold[]): PlacedHolds {
  const readOnly = new Set<string>();
  const exceptions: string[] = [];
  const add = (place: string, named: string): void => {
    if (readOnly.size < mostPlaces) readOnly.add(place);
    else exceptions.push(`${named} is not read-only: more than ${mostPlaces} files are held here`);
  };
  for (const { base, record } of holds) {
    for (const path of record.paths) {
      const found = placeOf(join(base, path), tree);
      if (typeof found === "string") add(found, path);
      else exceptions.push(`${path} ${found.why}`);
      if (typeof found === "string" && isLinked(found))
        exceptions.push(`${path} has another name by a hard link, which can be written`);
    }
    for (const pattern of record.patterns)
      for (const place of matchingPlaces(base, pattern, exceptions)) add(place, pattern);
  }
  const outermost = [...readOnly].filter((place) => !hasAncestor(place, tree, readOnly));
  return { readOnly: outermost.sort(), pinned: parentsOf(outermost, tree), exceptions: exceptions.slice(0, 50) };
}

function placeOf(file: string, tree: string): string | { readonly why: string } {
  const found = look(file);
  if (found === undefined) return { why: "does not exist yet; the text guard alone keeps it" };
  if (!found.isSymbolicLink()) return foldsCase(tree) ? realpathSync.native(file) : file;
  try {
    const target = realpathSync.native(file);
    return target.startsWith(tree + sep) ? target : { why: "is a link out of the tree" };
  } catch {
    return { why: "is a link that leads nowhere" };
  }
}

function isLinked(file: string): boolean {
  const found = look(file);
  return found !== undefined && found.isFile() && found.nlink > 1;
}

function matchingPlaces(base: string, pattern: string, exceptions: string[]): readonly string[] {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => special.test(segment));
  const folder = join(base, ...segments.slice(0, first));
  if (first === segments.length - 1 && segments[first] === "**") {
    if (folder !== base) return look(folder) === undefined ? [] : [folder];
    return entriesOf(base)
      .filter(({ name }) => !leftOpen.has(name))
      .map(({ name }) => join(base, name));
  }
  const compiled = glob(spelling(pattern, base));
  const places: string[] = [];
  let left = mostLooked;
  const walk = (place: string): void => {
    for (const entry of entriesOf(place)) {
      if (--left < 0) return;
      const path = join(place, entry.name);
      if (entry.isDirectory()) {
        if (!leftOut.has(entry.name)) walk(path);
      } else if (matches(compiled, spelling(relative(base, path).split(sep).join("/"), base))) places.push(path);
    }
  };
  walk(folder);
  if (left < 0)
    exceptions.push(`${pattern} covers a folder of more than ${mostLooked} files; only the first are read-only`);
  return places;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it is gone or may not be read; then the command cannot find a file in it either
  }
}

function look(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a file where a folder should be, a folder that may not be entered
  }
}

function hasAncestor(place: string, tree: string, among: ReadonlySet<string>): boolean {
  for (let folder = dirname(place); folder.length > tree.length; folder = dirname(folder))
    if (among.has(folder)) return true;
  return false;
}

/** The outermost first: a folder bound later would hide what was bound inside it. */
function parentsOf(places: readonly string[], tree: string): readonly string[] {
  const folders = new Set<string>();
  for (const place of places)
    for (let folder = dirname(place); folder.length > tree.length; folder = dirname(folder)) folders.add(folder);
  return [...folders].sort((one, other) => one.length - other.length);
}
