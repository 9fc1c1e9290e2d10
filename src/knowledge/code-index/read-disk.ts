/** Reads a file of a tree as it is on the disk: a plain file that is not too large. Links are not followed. */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export type DiskFile =
  | { readonly state: "read"; readonly bytes: Buffer }
  | { readonly state: "gone" }
  | { readonly state: "left-out"; readonly reason: string };

export async function readDisk(tree: string, path: string, maxBytes: number): Promise<DiskFile> {
  const place = join(tree, path);
  try {
    const stats = await lstat(place);
    const reason = whyNot(stats, maxBytes);
    if (reason !== undefined) return { state: "left-out", reason };
    await using handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const now = whyNot(await handle.stat(), maxBytes);
    return now === undefined ? await readAll(handle, maxBytes) : { state: "left-out", reason: now };
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "gone" };
    if (code === "ELOOP") return { state: "left-out", reason: "a symbolic link; links are not followed" };
    return { state: "left-out", reason: `cannot be read (${code})` };
  }
}

/** A file may grow while it is read. */
async function readAll(handle: FileHandle, maxBytes: number): Promise<DiskFile> {
  const bytes = await handle.readFile();
  return bytes.length > maxBytes ? { state: "left-out", reason: tooLarge(maxBytes) } : { state: "read", bytes };
}

function whyNot(stats: Stats, maxBytes: number): string | undefined {
  if (stats.isSymbolicLink()) return "a symbolic link; links are not followed";
  if (stats.isDirectory()) return "a repository of its own; ask in its folder";
  if (!stats.isFile()) return "not a plain file";
  return stats.size > maxBytes ? tooLarge(maxBytes) : undefined;
}

function tooLarge(maxBytes: number): string {
  return `larger than ${Math.round(maxBytes / 1_048_576)} MB`;
}
