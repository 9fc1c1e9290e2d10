/** The files of a folder that can be read, in the order of their names; links are not followed, hidden and foreign folders not entered. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { DomainError, messageOf } from "../../contract/index.ts";
import { type DocumentType, typeOfName } from "./document-reader.ts";

export type FoundFile = {
  readonly path: string;
  readonly location: string;
  readonly type: DocumentType;
  readonly bytes: number;
};
export type SkippedFile = { readonly location: string; readonly reason: string };
export type CollectedFiles = { readonly files: readonly FoundFile[]; readonly skipped: readonly SkippedFile[] };

const mostFiles = 5_000;
const mostDepth = 30;
const notEntered: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "target", "vendor", "__pycache__"]);

/** Locations are relative to the folder. */
export async function collectFolder(
  root: string,
  maxBytes: number,
  typeOf: (name: string) => DocumentType | undefined = typeOfName,
): Promise<CollectedFiles> {
  const files: FoundFile[] = [];
  const skipped: SkippedFile[] = [];

  async function walk(folder: string, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const location = relative(root, path);
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory() && !notEntered.has(entry.name)) {
        if (depth >= mostDepth) skipped.push({ location, reason: `it is more than ${mostDepth} folders deep` });
        else
          await walk(path, depth + 1).catch((error: unknown) => skipped.push({ location, reason: messageOf(error) }));
      } else if (entry.isFile()) await take(path, location);
    }
  }

  async function take(path: string, location: string): Promise<void> {
    const type = typeOf(basename(path));
    if (type === undefined) return;
    if (files.length >= mostFiles) {
      skipped.push({ location, reason: `the folder has more than ${mostFiles} documents` });
      return;
    }
    const { size: bytes } = await lstat(path);
    if (bytes > maxBytes) skipped.push({ location, reason: tooLarge(bytes, maxBytes) });
    else files.push({ path, location, type, bytes });
  }

  await walk(root, 0);
  return { files, skipped };
}

export async function readWhole(path: string, maxBytes: number): Promise<Uint8Array> {
  const { size } = await lstat(path);
  if (size > maxBytes)
    throw new DomainError("source.unreadable", `${path}: ${tooLarge(size, maxBytes)}`, {
      details: { location: path, limit: maxBytes },
    });
  return readFile(path);
}

function tooLarge(bytes: number, maxBytes: number): string {
  return `it has ${bytes} bytes, more than ${maxBytes} (knowledge.maxBytes)`;
}
