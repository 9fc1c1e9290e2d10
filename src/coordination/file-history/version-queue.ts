/**
 * Contents that were read and are not durable yet, in the order in which they were seen.
 *
 *   add (at once, in memory) -> a moment later: written in batches, one after the other -> durable
 *
 * A batch that fails is tried again; beyond the bound the oldest are dropped, which is said.
 */
import type { Clock, Timer } from "../../platform/clock/index.ts";

export type VersionQueue<Item> = {
  add(item: Item): void;
  /** Runs after everything that was added before it, and never beside a batch. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** The same, also where what was added before it cannot be written. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Those that wait and are `unwanted` are never written. Only inside `alone`: a batch under way would be cut. */
  drop(unwanted: (item: Item) => boolean): void;
  /** Resolves when everything added so far is durable; rejects when it could not be written. */
  flush(): Promise<void>;
  /** How many were dropped since the last question. */
  takeDropped(): number;
  stop(): void;
};
type Terms<Item> = {
  readonly clock: Clock;
  readonly write: (batch: readonly Item[]) => Promise<void>;
  readonly sizeOf: (item: Item) => number;
  readonly onFailed: (error: unknown) => void;
};

/** The hook's answer goes out first, and hooks that follow at once share a question to git and a sync of the disk. */
const restMs = 15;
const mostRestMs = 50;
const againAfterMs = 2_000;
const mostInBatch = 1_000;
const mostBytesInBatch = 8 * 1_048_576;
const mostBytesWaiting = 64 * 1_048_576;

export function createVersionQueue<Item>({ clock, write, sizeOf, onFailed }: Terms<Item>): VersionQueue<Item> {
  const waiting: Item[] = [];
  let bytes = 0;
  let dropped = 0;
  let timer: Timer | undefined;
  /** When the oldest of those that rest was added. */
  let restingSince: number | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  function drainIn(ms: number): void {
    if (isStopped) return;
    timer ??= clock.after(ms, () => {
      timer = undefined;
      restingSince = undefined;
      void inTurn(drain).catch((error: unknown) => {
        onFailed(error);
        drainIn(againAfterMs);
      });
    });
  }

  /** Each further hook lets the rest begin anew: what it adds is written with the others, while no hook waits for it. */
  function drainAfterRest(): void {
    const now = clock.monotonic();
    if (restingSince !== undefined) {
      timer?.cancel();
      timer = undefined;
    }
    restingSince ??= now;
    drainIn(Math.max(0, Math.min(restMs, restingSince + mostRestMs - now)));
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work);
    turn = next.catch(() => {});
    return next;
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const count = batchLength();
      await write(waiting.slice(0, count));
      for (const item of waiting.splice(0, count)) bytes -= sizeOf(item);
    }
  }

  function batchLength(): number {
    let size = 0;
    const end = waiting.findIndex((item, index) => {
      size += sizeOf(item);
      return index > 0 && (index >= mostInBatch || size > mostBytesInBatch);
    });
    return end === -1 ? waiting.length : end;
  }

  return {
    add(item) {
      bytes += sizeOf(item);
      // What is being written stays; it is the oldest part, and at most one batch.
      if (bytes > mostBytesWaiting && waiting.length > mostInBatch) {
        const [oldest] = waiting.splice(mostInBatch, 1);
        bytes -= sizeOf(oldest!);
        dropped++;
      }
      waiting.push(item);
      drainAfterRest();
    },
    inTurn: (work) =>
      inTurn(async () => {
        await drain();
        return work();
      }),
    alone: (work) =>
      inTurn(async () => {
        await drain().catch(onFailed); // they wait on, and the next turn tries again
        return work();
      }),
    drop(unwanted) {
      const dropped = waiting.filter(unwanted);
      const left = waiting.filter((item) => !unwanted(item));
      waiting.splice(0, waiting.length, ...left);
      for (const item of dropped) bytes -= sizeOf(item);
    },
    flush: () => inTurn(drain),
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
