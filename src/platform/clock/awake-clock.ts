/**
 * A clock that does not count the time in which the process could not run: suspended by a signal, frozen with its
 * container, asleep with its machine. Leases and silences are measured by it, because nothing could be renewed then.
 *
 *   a tick every second -> a reading long after the last one -> the gap is left out of `monotonic`
 *
 * Invariant: `monotonic` never goes back; the gap is left out by the first reading after it.
 */
import { checkedDelay, type Clock, type Timer, type TimerOptions } from "./clock.ts";

const tickMs = 1_000;
/** A busy event loop is late by less. */
const gapMs = 3_000;

export function awakeClock(clock: Clock): Clock {
  let last = clock.monotonic();
  let missed = 0;

  function monotonic(): number {
    const now = clock.monotonic();
    if (now - last > gapMs) missed += now - last - tickMs;
    last = now;
    return now - missed;
  }

  function tick(): void {
    monotonic();
    clock.after(tickMs, tick);
  }

  function after(ms: number, fn: () => void, options?: TimerOptions): Timer {
    const deadline = monotonic() + checkedDelay(ms);
    const wake = (): void => {
      const left = deadline - monotonic();
      if (left > 0) timer = clock.after(left, wake, options);
      else fn();
    };
    let timer = clock.after(ms, wake, options);
    return { cancel: () => timer.cancel() };
  }

  tick();
  return { now: () => clock.now(), monotonic, after };
}
