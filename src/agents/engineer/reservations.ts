/** How an Engineer comes to hold a path: an agent of its own in the session's tree, the same reservations as everybody. */
import { DomainError, type NodeId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

/** The daemon's operations an Engineer needs; the worker passes a client. */
export type ReservationClient = {
  acquire(path: string): Promise<void>;
  end(): Promise<void>;
  readonly name: string;
};
export type OpenReservations = (node: NodeId) => Promise<ReservationClient>;

const retryMs = 250;
const patienceMs = 5 * 60_000;

/** Waits while somebody else holds the path, but not for ever: then the model learns who holds it. */
export function holdPatiently(
  client: ReservationClient,
  clock: Clock,
): (path: string, signal: AbortSignal) => Promise<void> {
  return async (path, signal) => {
    const deadline = clock.monotonic() + patienceMs;
    for (;;) {
      try {
        return await client.acquire(path);
      } catch (error) {
        const held = error instanceof DomainError && error.code === "reservation.conflict";
        if (!held || signal.aborted || clock.monotonic() >= deadline) throw error;
      }
      await new Promise<void>((resolve) => clock.after(retryMs, resolve, { keepAlive: true }));
    }
  };
}
