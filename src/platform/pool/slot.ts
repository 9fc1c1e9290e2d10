/**
 * A slot for a job that runs elsewhere, such as in another process: held from the moment it is granted until it is freed.
 * A caller that waits for one holds nothing; a pool or group that closes takes its slots back.
 */
import type { Job } from "./fair-queue.ts";
import type { Pool } from "./pool.ts";

export type Slot = {
  /** Rejects when there is no room to wait, or the pool or group was closed. */
  readonly granted: Promise<void>;
  /** Gives it back, or gives up waiting; a second time does nothing. */
  free(): void;
};

export function takeSlot(pool: Pool, job: Job): Slot {
  const granted = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const leaving = new AbortController();
  let isHeld = false;
  const run = (signal: AbortSignal): Promise<void> => {
    isHeld = true;
    granted.resolve();
    signal.addEventListener("abort", () => freed.resolve(), { once: true });
    return freed.promise;
  };
  pool.submit({ ...job, run, signal: leaving.signal }).catch((error: unknown) => granted.reject(error));
  granted.promise.catch(() => {}); // who gave up waiting does not look at it again
  return {
    granted: granted.promise,
    free: () => (isHeld ? freed.resolve() : leaving.abort(new Error("the slot is no longer wanted"))),
  };
}
