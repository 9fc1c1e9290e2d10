/**
 * When leases end, on the monotonic clock of this daemon's life. `expiresAt` is only a projection for people.
 *
 * A lease this daemon has not seen renewed runs one full time limit from the daemon's start: downtime never counts as
 * silence. A grant is entered while its transaction runs, so that the next member of the same group already sees it; an
 * entry whose transaction was rolled back names a lease nobody can look up and is dropped when it runs out.
 */
import type { Clock } from "../../platform/clock/index.ts";

export type LeaseClock = {
  /** Starts or extends: the lease now ends `ttlMs` from now, or later if it did already. */
  run(lease: string, ttlMs: number): void;
  end(lease: string): void;
  leftMs(lease: string, ttlMs: number): number;
  isLive(lease: string, ttlMs: number): boolean;
  expiresAt(lease: string, ttlMs: number): number;
};

export function createLeaseClock(clock: Clock): LeaseClock {
  const startedAt = clock.monotonic();
  const deadlines = new Map<string, number>();
  const leftMs = (lease: string, ttlMs: number): number =>
    (deadlines.get(lease) ?? startedAt + ttlMs) - clock.monotonic();
  return {
    run(lease, ttlMs) {
      deadlines.set(lease, Math.max(deadlines.get(lease) ?? 0, clock.monotonic() + ttlMs));
    },
    end: (lease) => void deadlines.delete(lease),
    leftMs,
    isLive: (lease, ttlMs) => leftMs(lease, ttlMs) > 0,
    expiresAt: (lease, ttlMs) => clock.now() + Math.max(0, leftMs(lease, ttlMs)),
  };
}
