/** A path may look like one of the repository's and lead out of it through a link; nobody's files elsewhere are held here. */
import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { DomainError } from "../../contract/index.ts";
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
  throw new DomainError(
    "input.invalid",
    `"${first.source}" leads out of the repository through a link; reserve the path where the file really is, in its own repository`,
    { details: { problems: [{ path: first.source, message: "leads out of the repository through a link" }] } },
  );
}

/** What does not exist yet is where its nearest existing folder is; a link to nothing is where it points. */
export const leadsOutByLink: LeadsOut = async (tree, place) => {
  const root = await realOf(tree);
  if (root === undefined) return false;
  for (let file = join(root, place); file !== root; file = dirname(file)) {
    const real = (await realOf(file)) ?? (await targetOf(file));
    if (real !== undefined) return isOutside(root, real);
  }
  return false;
};

function isOutside(root: string, file: string): boolean {
  const path = relative(root, file);
  return path === ".." || path.startsWith("../") || isAbsolute(path);
}

async function realOf(file: string): Promise<string | undefined> {
  return realpath(file).catch(() => undefined);
}

async function targetOf(file: string): Promise<string | undefined> {
  const there = await lstat(file).catch(() => undefined);
  return there?.isSymbolicLink() === true ? resolve(dirname(file), await readlink(file)) : undefined;
}
