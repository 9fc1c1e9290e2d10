/** Hashes of files as they are now; a file whose size and times are those of the last look is not read again. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { blobHash, readDisk } from "../../knowledge/code-index/index.ts";

const mostKept = 50_000;

export function createFileHashes(maxFileBytes: number) {
  const known = new Map<string, { readonly stamp: string; readonly hash: string }>();
  return async (tree: string, path: string): Promise<string | undefined> => {
    const place = join(tree, path);
    const stats = await lstat(place, { bigint: true }).catch(() => undefined);
    if (stats === undefined) return undefined;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
    const kept = known.get(place);
    if (kept?.stamp === stamp) return kept.hash;
    const found = await readDisk(tree, path, maxFileBytes);
    if (found.state !== "read") return undefined;
    const hash = blobHash(found.bytes, "sha1");
    if (known.size >= mostKept) known.clear();
    known.set(place, { stamp, hash });
    return hash;
  };
}
export type HashNow = ReturnType<typeof createFileHashes>;
