/** Which file is at a path, whatever its name: two answers are equal only for the same file. Undefined where there is none. */
import { lstatSync, statSync } from "node:fs";

export type FileIdentity = string | undefined;

export function identityOf(path: string): FileIdentity {
  return named(statSync(path, { throwIfNoEntry: false }));
}

/** Of the entry itself: a link is not the file that it points to. */
export function entryIdentityOf(path: string): FileIdentity {
  return named(lstatSync(path, { throwIfNoEntry: false }));
}

function named(found: { readonly dev: number; readonly ino: number } | undefined): FileIdentity {
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
