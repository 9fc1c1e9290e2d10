/** How an Engineer reserves paths: it is an agent in the run's tree, with the same rules as all agents. */
import { DomainError, type PublishedFinding, type ReservationId } from "../../contract/index.ts";

/** The daemon operations that an Engineer needs. The worker forwards them. */
export type ReservationClient = {
  acquire(path: string, patience: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<ReservationId>;
  /** Throws `lease.lost` when another agent held the path in the meantime. */
  renew(id: ReservationId): Promise<void>;
  /** Open findings that other agents have reported. */
  peerFindings(): Promise<readonly PublishedFinding[]>;
};

/** How long to wait in the daemon's queue. After that the model learns which agent holds the path. */
const waitMs = 5 * 60_000;

/**
 * Renews a path that the Engineer held, and never silently reserves it again: the file may have changed since the model
 * read it. The model is told once; its next write reserves the path again.
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
      throw new DomainError("lease.lost", `You no longer hold ${path}. Read it again before you write it.`, {
        details: error.details,
        cause: error,
      });
    }
  };
}
