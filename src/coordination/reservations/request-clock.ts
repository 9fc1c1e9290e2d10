/** How long requests for release have waited: counted on the monotonic clock, after a restart from the daemon's start. */
import type { AgentId, ReservationId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { RequestRecord } from "./store.ts";

export type RequestLimits = { readonly normal: number; readonly urgent: number };

/** When each request was made, in this daemon's life. */
export type RequestClock = {
  asked(reservation: ReservationId, requester: AgentId): void;
  sinceMs(request: RequestRecord): number;
  /** Until the requester may force it; 0 or less: now. */
  leftMs(request: RequestRecord): number;
};

export function createRequestClock(clock: Clock, limitMs: RequestLimits): RequestClock {
  const startedAt = clock.monotonic();
  const askedAt = new Map<string, number>();
  const keyOf = (reservation: ReservationId, requester: AgentId): string => `${reservation} ${requester}`;
  const sinceMs = ({ reservation, requester }: RequestRecord): number =>
    clock.monotonic() - (askedAt.get(keyOf(reservation, requester.id)) ?? startedAt);
  return {
    asked(reservation, requester) {
      const now = clock.monotonic();
      // Older than every possible limit: whatever they were about has been decided.
      for (const [key, at] of askedAt) if (now - at > 4 * limitMs.normal) askedAt.delete(key);
      askedAt.set(keyOf(reservation, requester), now);
    },
    sinceMs,
    leftMs(request) {
      const limit = limitMs[request.urgency];
      return Math.max(limit, Math.min(request.etaMs ?? 0, 2 * limit)) - sinceMs(request);
    },
  };
}
