/**
 * Does something at most once per time span, however many processes want to: the last time is that of a file of its own.
 * Only who holds the lock beside it looks and does; who finds it taken leaves it to the other.
 */
import { closeSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../../platform/clock/index.ts";

/** A process that holds the lock for longer was killed. */
const lockLivesMs = 10_000;

/** Undefined: another process did it lately, or does it now. What fails counts as not done. */
export async function atMostEvery<T>(
  everyMs: number,
  file: string,
  clock: Clock,
  work: () => Promise<T>,
): Promise<T | undefined> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  if (!created(lock)) {
    if (ageOf(lock, clock) <= lockLivesMs) return undefined;
    rmSync(lock, { force: true });
    if (!created(lock)) return undefined;
  }
  try {
    if (ageOf(file, clock) < everyMs) return undefined;
    const result = await work();
    created(file);
    utimesSync(file, clock.now() / 1000, clock.now() / 1000);
    return result;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Without a file it is long ago; a time that is still to come is from before the wall clock went back. */
function ageOf(file: string, clock: Clock): number {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const age = at === undefined ? Number.POSITIVE_INFINITY : clock.now() - at;
  return age < -1_000 ? Number.POSITIVE_INFINITY : age;
}

function created(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
