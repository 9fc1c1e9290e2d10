/**
 * Reads the contents that a tree waits for: parse threads work side by side, one writer takes their results in small
 * transactions, so that questions come between.
 *
 *   waiting contents -> parser (its width at once) -> batch -> one transaction -> pause -> …
 *
 * It stops, and says why, when memory or disk run short; what waits then stays waiting.
 */
import { isOutOfRoom } from "../../platform/store/index.ts";
import type { IndexFile } from "./open-index-file.ts";
import type { IndexLimits, ParseReply, Parser } from "./ports.ts";
import type { TreeState } from "./refresh-tree.ts";
import type { WaitingContent } from "./tree-store.ts";

export type ReadingPorts = {
  readonly parser: Parser;
  readonly limits: IndexLimits;
  readonly freeBytes: () => number;
  readonly pause: () => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onRead: (left: number) => void;
};
export type Reading = {
  /** Contents that were parsed. */
  readonly parsed: number;
  /** Why it ended before all was read. */
  readonly stopped: string | undefined;
};
type Read = { readonly content: WaitingContent; readonly reply: ParseReply };

const batchBytes = 262_144;
const batchFiles = 24;
const evictAtOnce = 200;

export async function indexContents(state: TreeState, file: IndexFile, ports: ReadingPorts): Promise<Reading> {
  const { parser } = ports;
  const queue = [...file.trees.waiting(state.id)].reverse();
  let batch: Read[] = [];
  let bytes = 0;
  let parsed = 0;
  let stopped: string | undefined;

  function flush(): void {
    const reads = batch;
    batch = [];
    bytes = 0;
    try {
      parsed += file.sql.transact(() => reads.filter((read) => keep(read, state, file)).length);
    } catch (error) {
      if (!isOutOfRoom(error)) throw error;
      stopped = "the disk is full";
    }
    stopped ??= makeRoom(file, ports.limits);
    ports.onRead(queue.length);
  }

  async function work(): Promise<void> {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (ports.isStopped()) return;
      const short = stopped === undefined ? memoryShort(ports) : undefined;
      if (short !== undefined) {
        stopped = short;
        await parser.cancel();
      }
      if (stopped !== undefined) return;
      const inGit = !state.uncommitted.has(next.path);
      const reply = await parser.parse({ tree: state.place.tree, path: next.path, hash: next.hash, inGit });
      batch.push({ content: next, reply });
      if (reply.state === "parsed") bytes += reply.content.bytes;
      if (bytes < batchBytes && batch.length < batchFiles) continue;
      flush();
      await ports.pause();
    }
  }

  // Twice the width, so that a thread finds its next file while its last result is on its way.
  await Promise.all(Array.from({ length: parser.width * 2 }, work));
  if (batch.length > 0 && !ports.isStopped()) flush();
  return { parsed, stopped };
}

/** True for a content that was parsed. */
function keep({ content: { blob, path }, reply }: Read, state: TreeState, { contents, trees }: IndexFile): boolean {
  switch (reply.state) {
    case "parsed":
      return contents.write(blob, reply.content);
    case "left-out":
      contents.leaveOut(blob, reply.reason);
      return false;
    case "unreadable":
      trees.skip(state.id, path, reply.reason);
      state.known.delete(path); // the next listing tries again
      return false;
    case "changed":
      if (state.dirty !== "all") state.dirty.add(path);
      return false;
  }
}

function memoryShort({ freeBytes, limits }: ReadingPorts): string | undefined {
  const free = freeBytes();
  if (free >= limits.minFreeBytes) return undefined;
  return `only ${Math.round(free / 1_048_576)} MB of memory are free`;
}

/**
 * Undefined when the index is within its size, or was made so. It leaves a tenth free, so that not every file makes room
 * anew; names are looked through once, at the end.
 */
function makeRoom({ sql, contents }: IndexFile, { maxBytes }: IndexLimits): string | undefined {
  if (sql.usedBytes() <= maxBytes) return undefined;
  let evicted = 0;
  for (let now = evictAtOnce; now > 0 && sql.usedBytes() > maxBytes * 0.9; evicted += now)
    now = sql.transact(() => contents.evict(evictAtOnce));
  if (evicted > 0) sql.transact(() => contents.evictNames());
  if (sql.usedBytes() <= maxBytes) return undefined;
  return `the index has reached its size of ${Math.round(maxBytes / 1_048_576)} MB (index.maxBytes)`;
}
