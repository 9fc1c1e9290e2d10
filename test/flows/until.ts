/** Waiting for a condition, with a limit: the tests' only way to let time pass. */
import { systemClock } from "../../src/platform/clock/index.ts";

const clock = systemClock();
const betweenMs = 10;
/** Only a failure waits this long. A shared machine has taken 14 s to start one daemon. */
const patienceMs = 45_000;

/** The first value of `probe` that is neither undefined nor false; fails with what was waited for. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = patienceMs } = {},
): Promise<T> {
  for (const deadline = clock.monotonic() + withinMs; ;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (clock.monotonic() > deadline) throw new Error(`after ${withinMs} ms still waiting until ${what}`);
    await new Promise<void>((resolve) => clock.after(betweenMs, resolve, { keepAlive: true }));
  }
}

/** `promise`, or a failure that says what did not happen. */
export async function within<T>(what: string, promise: Promise<T>, { withinMs = patienceMs } = {}): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.after(withinMs, () => reject(new Error(`after ${withinMs} ms still waiting until ${what}`)), {
    keepAlive: true,
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.cancel();
  }
}
