/** How an Engineer comes to hold a path: an agent of its own in the session's tree, the same reservations as everybody. */
import { DomainError, type NodeId, type PublishedFinding, type ReservationId } from "../../contract/index.ts";

/** The daemon's operations an Engineer needs; the worker passes a client. */
export type ReservationClient = {
  acquire(path: string, patience: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<ReservationId>;
  /** Refused as lost when somebody else had it meanwhile. */
  renew(id: ReservationId): Promise<void>;
  /** Open findings that somebody else has reported, too. */
  peerFindings(): Promise<readonly PublishedFinding[]>;
  end(): Promise<void>;
  readonly name: string;
};
export type OpenReservations = (node: NodeId) => Promise<ReservationClient>;

/** In the daemon's line, first come, first served; but not for ever: then the model learns who holds it. */
const waitMs = 5 * 60_000;

/**
 * A path it has held is renewed, never reserved anew in silence: what the model knows of the file may be older than what is
 * in it. The model learns that once; its next write reserves the path again.
 */
export function holdPatiently(client: ReservationClient): (path: string, signal: AbortSignal) => Promise<void> {
  const held = new Map<string, ReservationId>();
  return async (path, signal) => {
    const known = held.get(path);
    if (known === undefined) return void held.set(path, await client.acquire(path, { waitMs, signal }));
    try {
      await client.renew(known);
    } catch (error) {
      const isLost = error instanceof DomainError && error.code === "lease.lost";
      if (!isLost) throw error;
      held.delete(path);
      throw new DomainError("lease.lost", `${path} was yours and is no more: read it again before you write it`, {
        details: error.details,
        cause: error,
      });
    }
  };
}
