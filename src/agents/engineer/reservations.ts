/** How an Engineer comes to hold a path: an agent of its own in the session's tree, the same reservations as everybody. */
import type { NodeId } from "../../contract/index.ts";

/** The daemon's operations an Engineer needs; the worker passes a client. */
export type ReservationClient = {
  acquire(path: string, patience: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<void>;
  end(): Promise<void>;
  readonly name: string;
};
export type OpenReservations = (node: NodeId) => Promise<ReservationClient>;

/** In the daemon's line, first come, first served; but not for ever: then the model learns who holds it. */
const waitMs = 5 * 60_000;

export function holdPatiently(client: ReservationClient): (path: string, signal: AbortSignal) => Promise<void> {
  return (path, signal) => client.acquire(path, { waitMs, signal });
}
