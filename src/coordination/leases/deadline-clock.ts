/**
 * Time limits by name, on the monotonic clock of this daemon's life: how long an agent has to answer.
 *
 * One this daemon has not seen started runs in full from the daemon's start: downtime never counts as silence.
 */
import type { Clock } from "../../platform/clock/index.ts";

export type DeadlineClock = {
  /** Starts or extends: it now ends `limitMs` from now, or later if it did already. */
  run(name: string, limitMs: number): void;
  end(name: string): void;
  leftMs(name: string, limitMs: number): number;
};

export function createDeadlineClock(clock: Clock): DeadlineClock {
  const startedAt = clock.monotonic();
  const ends = new Map<string, number>();
  return {
    run(name, limitMs) {
      ends.set(name, Math.max(ends.get(name) ?? 0, clock.monotonic() + limitMs));
    },
    end: (name) => void ends.delete(name),
    leftMs: (name, limitMs) => (ends.get(name) ?? startedAt + limitMs) - clock.monotonic(),
  };
}
