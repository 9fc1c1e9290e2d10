/**
 * Clock: the only way the rest of Sylk learns the time or waits for it.
 *
 *   systemClock (daemon) | manualClock (tests) -> Clock -> leases, sweeper, retention, log
 *
 * Two times, because they answer different questions: `now` says when something happened,
 * `monotonic` says how long ago. A laptop that corrects its wall clock must not end a lease.
 * Invariant: deadlines are kept in monotonic time; a timer fires at most once and never early.
 */

export interface Clock {
  /** Wall time as Unix milliseconds, a whole number. May jump either way. */
  now(): number;
  /** Whole milliseconds since some fixed moment of this process. Never goes back, ignores wall jumps. */
  monotonic(): number;
  /** Calls `fn` once, `ms` of monotonic time from now; a negative `ms` counts as 0. */
  after(ms: number, fn: () => void, options?: TimerOptions): Timer;
}

export interface TimerOptions {
  /** True keeps the process alive until the timer fires. Default false: a timer alone does not keep it alive. */
  readonly keepAlive?: boolean;
}

export interface Timer {
  /** After this the callback does not run. Safe to call twice, and after firing. */
  cancel(): void;
}

/** A deadline computed as NaN would silently mean "at once" to setTimeout, so it is refused. */
export function checkedDelay(ms: number): number {
  if (!Number.isFinite(ms)) throw new RangeError(`a timer's delay must be a finite number of milliseconds, not ${ms}`);
  return Math.max(0, ms);
}
