/**
 * A sliding window on the monotonic clock: how often each key was used in the last minute. Kept in memory: a new daemon
 * begins with empty windows, so no agent can send more than twice its limit.
 */
import type { Clock } from "../../platform/clock/index.ts";

export type RateLimit = { readonly key: string; readonly most: number };
export type RateRefusal = RateLimit & { readonly used: number; readonly retryAfterMs: number };
export type RateWindow = {
  /** Counts one use of every key, or of none and says which one is used up and for how long. */
  take(limits: readonly RateLimit[]): RateRefusal | undefined;
};

const windowMs = 60_000;
const keysBeforeTidying = 1_000;

export function createRateWindow(clock: Clock): RateWindow {
  const uses = new Map<string, number[]>();

  function recent(key: string, now: number): number[] {
    return (uses.get(key) ?? []).filter((at) => at > now - windowMs);
  }

  return {
    take(limits) {
      const now = clock.monotonic();
      const known = limits.map((limit) => ({ ...limit, times: recent(limit.key, now) }));
      for (const { key, most, times } of known) {
        const oldest = times.at(-most);
        if (times.length >= most && oldest !== undefined)
          return { key, most, used: times.length, retryAfterMs: oldest + windowMs - now };
      }
      if (uses.size > keysBeforeTidying)
        for (const key of uses.keys()) if (recent(key, now).length === 0) uses.delete(key);
      for (const { key, times } of known) uses.set(key, [...times, now]);
      return undefined;
    },
  };
}
