/** A path of the model's, confined to the working tree after resolving links; git's own folder is out of bounds. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";

export class OutOfBounds extends Error {
  override readonly name = "OutOfBounds";
}

/** `path` is where the file really is, relative to the tree: two names of one file are one reservation. */
export type ConfinedPath = { readonly path: string; readonly file: string };

export async function confinedPath(tree: string, wanted: string): Promise<ConfinedPath> {
  const named = normalize(wanted).split(sep).join("/");
  if (isAbsolute(wanted) || leadsOut(named) || named.includes("\0"))
    throw new OutOfBounds(`"${wanted}" is outside the working tree; use a path relative to its root`);
  if (isGits(named)) throw new OutOfBounds(`"${wanted}" is not a file you may use`);
  const root = await realpath(tree);
  const file = await realPlace(join(root, named), wanted);
  const path = relative(root, file).split(sep).join("/");
  if (leadsOut(path)) throw new OutOfBounds(`"${wanted}" leads outside the working tree through a link`);
  if (path === "" || isGits(path)) throw new OutOfBounds(`"${wanted}" is not a file you may use`);
  return { path, file };
}

/** What HFS+ does not see in a name. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Also as file systems read it that know no case (APFS), ignore characters (HFS+), or trailing dots and short names (NTFS). */
function isGits(path: string): boolean {
  return path
    .split("/")
    .map((part) =>
      part
        .replaceAll(ignored, "")
        .replace(/[. ]+$/, "")
        .toLowerCase(),
    )
    .some((part) => part === ".git" || /^git~\d+$/.test(part));
}

function leadsOut(path: string): boolean {
  return path === ".." || path.startsWith("../") || isAbsolute(path);
}

/**
 * The real place of a file that may not exist yet: below that of its nearest existing ancestor. A link to nothing would
 * be followed by a write, so it is not a place to write to.
 */
async function realPlace(file: string, wanted: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(file) === file) throw error;
  }
  const there = await lstat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // unknown is not "no link"
    return undefined;
  });
  if (there?.isSymbolicLink())
    throw new OutOfBounds(`"${wanted}" leads outside the working tree or nowhere through a link`);
  if (there !== undefined) return await realPlace(file, wanted); // a colleague made it just now
  return join(await realPlace(dirname(file), wanted), basename(file));
}
