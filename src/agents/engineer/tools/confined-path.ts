/** A path of the model's, confined to the working tree after resolving links; git's own folder is out of bounds. */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";

export class OutOfBounds extends Error {
  override readonly name = "OutOfBounds";
}

export type ConfinedPath = { readonly path: string; readonly file: string };

export async function confinedPath(tree: string, wanted: string): Promise<ConfinedPath> {
  const path = normalize(wanted).split(sep).join("/");
  if (isAbsolute(wanted) || path === ".." || path.startsWith("../") || path.includes("\0"))
    throw new OutOfBounds(`"${wanted}" is outside the working tree; use a path relative to its root`);
  if (path === "." || path.split("/").includes(".git")) throw new OutOfBounds(`"${wanted}" is not a file you may use`);
  const file = join(tree, path);
  const root = await realpath(tree);
  const real = await nearestReal(file);
  const inside = relative(root, real);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new OutOfBounds(`"${wanted}" leads outside the working tree through a link`);
  return { path, file };
}

/** The real place of a file that may not exist yet: that of its nearest existing ancestor. */
async function nearestReal(file: string): Promise<string> {
  for (let place = file; ; place = dirname(place)) {
    try {
      return await realpath(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(place) === place) throw error;
    }
  }
}
