/**
 * A glob as a caller names it -> the same from the root of the working tree. Only the folder before the first wildcard is
 * looked up: a link further down is found when the file behind it is named.
 *
 *   /repo/src/[id]/*.ts   the folder before the first wildcard is looked up, links resolved -> src/\[id\]/*.ts
 *   /home/ada/**          begins above the tree and reaches into it                       -> **
 */
import { isAbsolute, relative, sep } from "node:path";
import { glob, matches } from "../globs/index.ts";
import { realPlace } from "./real-place.ts";
import { gitPath, treePath } from "./tree-path.ts";

const wildcard = /(?<!\\)(?:\\\\)*[*?[{]/;

/** The folder in which a glob begins, and the segments of the rest. */
export function splitGlob(text: string): { readonly folder: string; readonly rest: readonly string[] } {
  const segments = text.split("/");
  const first = segments.findIndex((segment) => wildcard.test(segment));
  const at = first === -1 ? segments.length - 1 : first;
  const folder = segments.slice(0, at).join("/").replaceAll(/\\(.)/g, "$1");
  return { folder: folder === "" && text.startsWith("/") ? "/" : folder, rest: segments.slice(at) };
}

/** Undefined for what cannot reach into the tree; throws `InvalidPattern` for what the matcher cannot decide. */
export function treePattern(text: string, tree: string, { mayBeginAbove = true } = {}): string | undefined {
  if (!wildcard.test(text)) return treePatternOfFile(text, tree);
  const { folder, rest } = splitGlob(text);
  const way = relative(tree, realPlace(isAbsolute(folder) ? folder : `${tree}${sep}${folder}`));
  const names = gitPath(way.split(sep).join("/"), tree)
    .split("/")
    .filter((name) => name !== "");
  if (names[0] !== ".." && names.join("/") === folder) return checked(text);
  if (names[0] === ".." && !mayBeginAbove) return undefined;
  const steps =
    names[0] === ".." ? below(rest, tree.split(sep).slice(-names.length)) : [...names.map(escaped), ...rest];
  if (steps === undefined || (names[0] === ".." && names.some((name) => name !== ".."))) return undefined;
  return checked(steps.join("/"));
}

function treePatternOfFile(text: string, tree: string): string | undefined {
  const file = text.replaceAll(/\\(.)/g, "$1");
  const path = treePath(file, tree);
  if (path === undefined) return undefined;
  return checked(path === file ? text : path.split("/").map(escaped).join("/"));
}

function checked(pattern: string): string {
  glob(pattern);
  return pattern.normalize("NFC");
}

/** The rest of a glob after it has walked down into the tree. */
function below(rest: readonly string[], folders: readonly string[]): readonly string[] | undefined {
  let left = rest;
  for (const folder of folders) {
    const [first, ...others] = left;
    if (first === "**") return left;
    if (first === undefined || others.length === 0 || !matches(glob(first), folder)) return undefined;
    left = others;
  }
  return left;
}

function escaped(name: string): string {
  return name.replaceAll(/[\\*?[\]{}()!@+]/g, String.raw`\$&`);
}
