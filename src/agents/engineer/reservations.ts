/** How an Engineer comes to hold a path: an agent of its own in the session's tree, the same reservations as everybody. */
import { DomainError, type NodeId, type ReservationId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

/** The daemon's operations an Engineer needs; the worker passes a client. */
export type ReservationClient = {
  acquire(path: string): Promise<ReservationId>;
  /** Refused as lost when somebody else had it meanwhile. */
  renew(id: ReservationId): Promise<void>;
  end(): Promise<void>;
  readonly name: string;
};
export type OpenReservations = (node: NodeId) => Promise<ReservationClient>;

const retryMs = 250;
const patienceMs = 5 * 60_000;

/**
 * Waits while somebody else holds the path, but not for ever: then the model learns who holds it. A path it has held is
 * renewed, never reserved anew in silence: what the model knows of the file may be older than what is in it. It learns that
 * once; its next write reserves the path again.
 */
export function holdPatiently(
  client: ReservationClient,
  clock: Clock,
): (path: string, signal: AbortSignal) => Promise<void> {
  const held = new Map<string, ReservationId>();

  async function renew(path: string, id: ReservationId): Promise<void> {
    try {
      await client.renew(id);
    } catch (error) {
      const isLost = error instanceof DomainError && error.code === "lease.lost";
      if (!isLost) throw error;
      held.delete(path);
      throw new DomainError("lease.lost", `${path} was yours and is no more: read it again before you write it`, {
        details: error.details,
        cause: error,
      });
    }
  }
  return async (path, signal) => {
    const known = held.get(path);
    if (known !== undefined) return renew(path, known);
    const deadline = clock.monotonic() + patienceMs;
    for (;;) {
      try {
        held.set(path, await client.acquire(path));
        return;
      } catch (error) {
        const isHeld = error instanceof DomainError && error.code === "reservation.conflict";
        if (!isHeld || signal.aborted || clock.monotonic() >= deadline) throw error;
      }
      await new Promise<void>((resolve) => clock.after(retryMs, resolve, { keepAlive: true }));
    }
  };
}
