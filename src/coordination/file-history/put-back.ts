/**
 * Writes a file of a working tree in one step: a new file beside it takes its place, with the mode it had. Refused when the
 * file no longer holds the version that was kept of it: nothing is overwritten that local history does not have.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asFileTrouble } from "../../platform/target-file.ts";
import { treePath } from "../tree-paths/index.ts";
import { hashOf } from "./content-packs.ts";
import { isLink, readContent } from "./read-content.ts";
import type { VersionRecord } from "./store.ts";

/** Undefined: there is no file. */
export type FileState = { readonly content: Buffer; readonly mode: number } | undefined;

const beginning = ".sylk-restore-";

/** Files that are being restored: they are not a change of an agent. */
export function isOwnTemporary(path: string): boolean {
  return basename(path).startsWith(beginning);
}

/** False where the file has changed since `expected` was seen. */
export function putBack(
  { tree, path }: { readonly tree: string; readonly path: string },
  wanted: FileState,
  expected: Pick<VersionRecord, "state" | "hash" | "mode">,
): boolean {
  const file = join(tree, path);
  const temporary = join(dirname(file), `${beginning}${randomUUID()}`);
  try {
    if (wanted !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
      make(temporary, wanted);
    }
    if (leadsElsewhere(tree, path) || !holds(tree, path, expected)) return false;
    if (wanted === undefined) rmSync(file, { force: true });
    else renameSync(temporary, file);
    return true;
  } catch (error) {
    throw asFileTrouble(error, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** What must be moved away before the file can be put back; undefined when nothing is in its way. */
export function obstacleTo({ tree, path }: { readonly tree: string; readonly path: string }): string | undefined {
  if (leadsElsewhere(tree, path)) return `${dirname(path)} is a link now`;
  const found = lstatSync(join(tree, path), { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return undefined;
  return found.isDirectory() ? `${path} is a folder now` : `${path} is not a regular file now`;
}

function make(temporary: string, { content, mode }: NonNullable<FileState>): void {
  if (isLink(mode)) return symlinkSync(content, temporary);
  writeFileSync(temporary, content, { flag: "wx", mode: mode & 0o777 });
  chmodSync(temporary, mode & 0o777);
}

/** A folder above it has become a link. */
function leadsElsewhere(tree: string, path: string): boolean {
  const folder = dirname(path);
  return folder !== "." && treePath(folder, tree) !== folder;
}

function holds(tree: string, path: string, { state, hash }: Pick<VersionRecord, "state" | "hash">): boolean {
  const read = readContent(tree, path, { known: undefined, maxBytes: Number.MAX_SAFE_INTEGER, now: 0 });
  if (read === undefined || state === "too-large") return false;
  const { content } = read;
  return content.state === "kept" ? state === "kept" && hashOf(content.content) === hash : state === "absent";
}
