/** The hash that git gives a content, so that its own and ours name the same thing; by SHA-1 or SHA-256 as the repository does. */
import { createHash } from "node:crypto";
import { posix } from "node:path";

export type HashKind = "sha1" | "sha256";

export function blobHash(content: Uint8Array, kind: HashKind): string {
  return createHash(kind).update(`blob ${content.length}\0`).update(content).digest("hex");
}

export function kindOfHash(hash: string): HashKind {
  return hash.length === 64 ? "sha256" : "sha1";
}

/** Facts of one content differ by what its path tells about its language: the ending, or the name of a file without one. */
export function variantOf(path: string): string {
  return (posix.extname(path) || posix.basename(path)).toLowerCase();
}
