/** A home that this user may not use, or a disk that is full: a fact about the machine with a way out, not a defect. */
import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DomainError, messageOf } from "../../contract/errors.ts";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not use it",
  EPERM: "this user may not use it",
  EROFS: "it is read-only",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a file is where a folder belongs",
  EISDIR: "a folder is where a file belongs",
  ERR_FS_EISDIR: "a folder is where a file belongs",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "its path contains a link cycle",
  EIO: "the disk reports an error",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

/** Undefined when the error is about something else. */
export function asHomeTrouble(error: unknown, home: string): DomainError | undefined {
  const {
    code = "",
    path = "",
    syscall,
  } = error as { readonly code?: string; readonly path?: string; syscall?: string };
  const isAbove = syscall === "mkdir" && home.startsWith(`${path}/`);
  if (!(path === home || path.startsWith(`${home}/`) || isAbove)) return undefined;
  const reason = reasons[code] ?? (syscall === "mkdir" ? `it cannot be made (${code})` : undefined);
  if (reason === undefined) return undefined;
  return new DomainError(
    "store.unavailable",
    `The home ${home} cannot be used: ${reason} (${path}); correct that, or set SYLK_HOME to another folder`,
    { details: { home, reason }, cause: error },
  );
}

export const makeHomeFix = "make it yourself, or set SYLK_HOME to another folder";

/** Tried by making a folder there and removing it: modes alone do not tell what a file system takes. */
export function whyHomeCannotBeMade(home: string): string | undefined {
  if (existsSync(home)) return undefined;
  let parent = dirname(home);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    rmdirSync(mkdtempSync(join(parent, ".sylk-")));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
