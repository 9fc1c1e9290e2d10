/**
 * Reads a file of a working tree as it is now. Synchronous: this runs before a hook is answered, where a small file costs some
 * microseconds and the thread pool would cost a hundred.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Bits of a mode that say: a symbolic link, whose content is its target. */
export const linkBits = 0o120000;

export function isLink(mode: number): boolean {
  return (mode & 0o170000) === linkBits;
}

export type Content =
  | { readonly state: "kept"; readonly mode: number; readonly content: Buffer }
  | { readonly state: "too-large"; readonly mode: number; readonly bytes: number }
  | { readonly state: "absent" };
/** Tells one state of a file from the next; undefined where that is not sure. */
export type Read = { readonly content: Content; readonly stamp: string | undefined };

/** A link is kept as a link, and a pipe in place of a file must not hold the daemon. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A file system tells time in steps: a file that changed this recently may change again under the same time. */
const sureAfterMs = 50;
/** Of a file that is not there: one that came and went between two looks left nothing to keep. */
const absentStamp = "absent";

/** Undefined where the stamp is the known one, and for what is neither a file nor a link: a folder, a pipe, no right to read. */
export function readContent(
  tree: string,
  path: string,
  terms: { readonly known: string | undefined; readonly maxBytes: number; readonly now: number },
): Read | undefined {
  if (terms.known !== undefined && terms.known === stampAt(tree, path)) return undefined;
  const file = openFile(tree, path);
  if (file === "absent") return { content: { state: "absent" }, stamp: absentStamp };
  if (file === undefined) return undefined;
  if (typeof file === "object") {
    const content = { state: "kept", mode: linkBits | 0o777, content: file.target } as const;
    return { content, stamp: undefined };
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return undefined;
    const { size, ctimeMs, mode: bits } = found;
    const stamp = stampOf(found);
    const mode = bits & 0o7777;
    const isSure = Math.abs(terms.now - ctimeMs) > sureAfterMs;
    if (size > terms.maxBytes) return { content: { state: "too-large", mode, bytes: size }, stamp };
    const content = readWhole(file, size, terms.maxBytes);
    if (content === undefined) return { content: { state: "too-large", mode, bytes: size }, stamp: undefined };
    return { content: { state: "kept", mode, content }, stamp: isSure ? stamp : undefined };
  } finally {
    closeSync(file);
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

/** One look at a file that did not change, which is most of them. */
function stampAt(tree: string, path: string): string {
  for (const name of namesOf(path)) {
    const found = lstatSync(join(tree, name), { throwIfNoEntry: false });
    if (found !== undefined) return stampOf(found);
  }
  return absentStamp;
}

/** Names reach us in composed form; on the disk the same name may be decomposed. */
function namesOf(path: string): readonly string[] {
  const decomposed = path.normalize("NFD");
  return decomposed === path ? [path] : [path, decomposed];
}

function openFile(tree: string, path: string): number | { readonly target: Buffer } | "absent" | undefined {
  for (const name of namesOf(path)) {
    try {
      return openSync(join(tree, name), flags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ELOOP") return targetOf(join(tree, name));
      if (code !== "ENOENT" && code !== "ENOTDIR") return undefined;
    }
  }
  return "absent";
}

function targetOf(link: string): { readonly target: Buffer } | undefined {
  try {
    return { target: readlinkSync(link, "buffer") };
  } catch {
    return undefined; // no link any more; the next change is seen anew
  }
}

/** It may grow meanwhile; undefined when it grows beyond the bound. */
function readWhole(file: number, size: number, maxBytes: number): Buffer | undefined {
  let content = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, content, length, content.length - length, null);
    if (read === 0) return content.subarray(0, length);
    length += read;
    if (length > maxBytes) return undefined;
    if (length === content.length) content = Buffer.concat([content, Buffer.allocUnsafe(content.length)]);
  }
}
