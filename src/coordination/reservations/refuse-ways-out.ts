/** A path may look like one of the repository's and lead out of it through a link; files elsewhere cannot be reserved here. */
import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { invalidInput } from "../../contract/index.ts";
import type { CoveredPaths } from "./covered-paths.ts";
import { placeOf } from "./places.ts";

/** Whether a path of the tree, or the folder a glob begins in, is really somewhere else. */
export type LeadsOut = (tree: string, place: string) => Promise<boolean>;

export async function refuseWaysOut(
  covered: CoveredPaths,
  tree: string,
  leadsOut: LeadsOut | undefined,
): Promise<void> {
  if (leadsOut === undefined) return;
  const found = await Promise.all(
    covered.map(async (one) => ((await leadsOut(tree, placeOf(one).place)) ? [one] : [])),
  );
  const [first] = found.flat();
  if (first === undefined) return;
  throw invalidInput(first.source, "leads out of the repository through a link", {
    sentence: `"${first.source}" leads out of the repository through a link; reserve the path where the file really is, in its own repository`,
  });
}

/** A path that does not exist yet is in its nearest existing folder; a link to nothing is where it points. */
export const leadsOutByLink: LeadsOut = async (tree, place) => {
  const root = await rootOf(tree);
  const real = await realOf(join(root, place));
  if (real !== undefined) return isOutside(root, real);
  let file = root;
  for (const name of place.split("/")) {
    file = join(file, name);
    const there = await lstat(file).catch(() => undefined);
    if (there === undefined) return false;
    if (!there.isSymbolicLink()) continue;
    file = (await realOf(file)) ?? resolve(dirname(file), await readlink(file));
    if (isOutside(root, file)) return true;
  }
  return false;
};

const roots = new Map<string, string>();

/** Asked for at every reservation; a daemon knows few trees. */
async function rootOf(tree: string): Promise<string> {
  const known = roots.get(tree);
  if (known !== undefined) return known;
  const root = await realOf(tree);
  if (root !== undefined) roots.set(tree, root);
  return root ?? tree;
}

function isOutside(root: string, file: string): boolean {
  const path = relative(root, file);
  return path === ".." || path.startsWith("../") || isAbsolute(path);
}

async function realOf(file: string): Promise<string | undefined> {
  return realpath(file).catch(() => undefined);
}
