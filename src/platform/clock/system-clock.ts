/**
 * The machine's clock. The only file in src that touches Date.now, performance.now and setTimeout.
 *
 *   after(ms) -> deadline in monotonic time -> native timers chained until it is reached
 *
 * Chaining serves two ends: setTimeout fires at once for delays over 2^31 - 1, and it may fire up to
 * a millisecond early against performance.now.
 */
import { checkedDelay, type Clock, type Timer, type TimerOptions } from "./clock.ts";

const LONGEST_NATIVE_DELAY = 2 ** 31 - 1;

export function systemClock(): Clock {
  return { now: () => Date.now(), monotonic: () => Math.floor(performance.now()), after: startTimer };
}

function startTimer(ms: number, fn: () => void, { keepAlive = false }: TimerOptions = {}): Timer {
  const deadline = performance.now() + checkedDelay(ms);
  let native: NodeJS.Timeout;

  const sleepOn = () => {
    const left = Math.ceil(deadline - performance.now());
    native = setTimeout(wake, Math.min(Math.max(left, 0), LONGEST_NATIVE_DELAY));
    if (!keepAlive) native.unref();
  };
  const wake = () => (performance.now() < deadline ? sleepOn() : fn());

  sleepOn();
  return { cancel: () => clearTimeout(native) };
}
