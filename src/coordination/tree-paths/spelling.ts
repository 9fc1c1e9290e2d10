/**
 * How names of a tree are compared. A file system that takes `Readme.md` and `README.md` for one file (macOS, Windows,
 * folders of Linux with casefold) gets them compared as one; names are shown as they were written.
 */
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const known = new Map<string, boolean>();

/** The form in which a path or a glob of this tree is compared. */
export function spelling(text: string, tree: string): string {
  return foldsCase(tree) ? folded(text) : text;
}

/** Asked for at every reservation; a daemon knows few trees. */
export function foldsCase(tree: string): boolean {
  const found = known.get(tree);
  if (found !== undefined) return found;
  const folds = isOne(join(tree, ".git"), join(tree, ".GIT")) ?? isOne(tree, join(dirname(tree), swapped(tree)));
  if (folds !== undefined) known.set(tree, folds);
  return folds ?? false;
}

/** Undefined where there is nothing to look at. */
function isOne(file: string, other: string): boolean | undefined {
  const [first, second] = [look(file), look(other)];
  if (first === undefined) return undefined;
  return second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

function look(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder that may not be entered
  }
}

function swapped(tree: string): string {
  const name = basename(tree);
  return name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
}

/** By the capital of each letter, since some letters have two small forms (σ, ς). */
function folded(text: string): string {
  return [...text.normalize("NFC")]
    .map((letter) => letter.toUpperCase().toLowerCase())
    .join("")
    .normalize("NFC");
}
