/**
 * Reads the log: its last lines, and those that are still to come.
 *
 *   readTail: log-reader, n lines before the end -> to the end
 *   follow:   the same, and again at each poll of the clock, until the signal
 *
 * Polling instead of fs.watch, which loses renames on some systems and network disks. Synchronous: it runs in
 * the CLI, and a poll does its whole work in one step.
 */
import type { Clock, Timer } from "../clock/index.ts";
import { openLogReader } from "./log-reader.ts";

const POLL_MS = 200;

/** The last complete lines across rotated files, oldest first. */
export function readTail(dir: string, lines: number): readonly string[] {
  const found: string[] = [];
  const reader = openLogReader(dir, (line) => found.push(line));
  try {
    reader.begin(lines);
    reader.readNew();
    return found.slice(Math.max(0, found.length - lines));
  } finally {
    reader.close();
  }
}

export interface FollowOptions {
  readonly clock: Pick<Clock, "after">;
  /** How many lines from before the start to begin with; none if not given. */
  readonly lines?: number;
}

/** Settles when the signal fires; rejects if the log cannot be read or `onLine` throws. */
export async function follow(
  dir: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
  { clock, lines = 0 }: FollowOptions,
): Promise<void> {
  if (signal.aborted) return;
  const reader = openLogReader(dir, (line) => {
    if (!signal.aborted) onLine(line);
  });
  try {
    reader.begin(lines);
    await pollUntil(signal, clock, () => reader.readNew());
  } finally {
    reader.close();
  }
}

function pollUntil(signal: AbortSignal, clock: Pick<Clock, "after">, look: () => void): Promise<void> {
  let timer: Timer | undefined;
  return new Promise<void>((resolve, reject) => {
    const poll = () => {
      try {
        look();
      } catch (error) {
        return reject(error instanceof Error ? error : new Error(String(error)));
      }
      if (signal.aborted) return resolve();
      timer = clock.after(POLL_MS, poll, { keepAlive: true });
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
    poll();
  }).finally(() => timer?.cancel());
}
