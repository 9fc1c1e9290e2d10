/** Waits, unless it is told to stop: then it ends at once, and the caller checks the signal. */
import type { Clock, TimerOptions } from "./clock.ts";

export function pause(
  ms: number,
  clock: Clock,
  signal: AbortSignal | undefined,
  options: TimerOptions = {},
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.after(ms, done, options);
    if (signal?.aborted === true) done();
    else signal?.addEventListener("abort", done);
  });
}
