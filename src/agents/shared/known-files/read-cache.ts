/**
 * Files that are read often, kept after a question was answered: the next reading needs one look at the disk.
 *
 *   read -> how often lately? -> from the third time on kept -> answered from memory while the file is the same one
 *
 * Invariant: an entry is used only for the file it was read from, unchanged: same inode, size and times.
 */
import type { BigIntStats } from "node:fs";

type Entry = { reads: number; key: string; text: string | undefined };

const keptAfter = 3;
const mostEntries = 200;
const largestText = 256 * 1024;

export function createReadCache() {
  const entries = new Map<string, Entry>();
  return {
    /** The text, where it is kept and the file is still the same. */
    get(place: string, stats: BigIntStats): string | undefined {
      const entry = entries.get(place);
      return entry?.key === keyOf(stats) ? entry.text : undefined;
    },
    /** After an answer. */
    onRead(place: string, stats: BigIntStats, text: string): void {
      const known = entries.get(place);
      const reads = (known?.reads ?? 0) + 1;
      entries.delete(place);
      const isKept = reads >= keptAfter && text.length <= largestText;
      entries.set(place, { reads, key: keyOf(stats), text: isKept ? text : undefined });
      for (const oldest of [...entries.keys()].slice(0, Math.max(0, entries.size - mostEntries)))
        entries.delete(oldest);
    },
  };
}
export type ReadCache = ReturnType<typeof createReadCache>;

function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
