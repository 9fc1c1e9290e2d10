/**
 * Links on the way to a file that is to be changed. A settings file that is a link may lead into another repository or out of
 * the user's home, so where it leads is shown, and it is followed only when the user said so.
 */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { DomainError } from "../../contract/index.ts";

export type FollowedLink = { readonly file: string; readonly leadsTo: string };

/** Below these folders every part of a path is looked at; what lies elsewhere was named by the user, up to the file. */
export function linksAmong(files: readonly string[], bases: readonly string[]): readonly FollowedLink[] {
  return [...new Set(files)].flatMap((file) => {
    const base = bases.find((folder) => file.startsWith(`${folder}${sep}`)) ?? dirname(file);
    const parts = relative(base, file).split(sep);
    const isLinked = parts.some((_part, index) => isLink(join(base, ...parts.slice(0, index + 1))));
    return isLinked ? [{ file, leadsTo: endOf(file) }] : [];
  });
}

export function linkRefusal([first]: readonly FollowedLink[]): DomainError | undefined {
  if (first === undefined) return undefined;
  const { file, leadsTo } = first;
  return new DomainError(
    "file.link",
    `${file} leads to ${leadsTo} by a link, so nothing was changed; --follow-links writes there`,
    { details: { file, leadsTo } },
  );
}

/** Where a write would go, also through a link to a file that is not there yet. */
export function endOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    if (isLink(file)) return endOf(resolve(dirname(file), readlinkSync(file)));
    const folder = dirname(file);
    return folder === file ? file : join(endOf(folder), file.slice(folder.length));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
