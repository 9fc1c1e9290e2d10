/**
 * Room for sessions: a caller that finds none waits in a bounded line until a session ends, at most as long as it said.
 *
 *   enter -> room? -> make the session -> … ended -> the first in line looks again
 *
 * This only spares callers a refusal; that there are never too many is checked again where a session is inserted.
 */
import { DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

type Terms = {
  readonly clock: Clock;
  readonly max: number;
  readonly maxWaiting: number;
  /** Sessions that count now. */
  readonly used: () => Promise<number>;
};
export type Room = {
  enter<T>(waitMs: number, signal: AbortSignal | undefined, make: () => Promise<T>): Promise<T>;
  /** A session ended, or may count no longer. */
  freed(): void;
  readonly waiting: number;
};

const retryAfterMs = 5_000;

export function createRoom({ clock, max, maxWaiting, used }: Terms): Room {
  /** By arrival, also of those who looked in vain meanwhile. */
  const line: { readonly arrival: number; readonly look: () => void }[] = [];
  let arrivals = 0;
  /** Let in, and not in the store yet. */
  let entering = 0;

  const wakeFirst = (): void => line.shift()?.look();

  async function waitForRoom(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const endsAt = clock.monotonic() + waitMs;
    const arrival = arrivals++;
    for (let isNew = true; ; isNew = false) {
      const count = await used();
      // No await from here to the count: of two who see the last place one gets it.
      if (count + entering < max && (!isNew || line.length === 0)) return void entering++;
      const leftMs = endsAt - clock.monotonic();
      if (leftMs <= 0 || line.length >= maxWaiting)
        throw sessionLimit({ limit: max, used: count, waiting: line.length });
      await turnInLine(arrival, leftMs, signal);
    }
  }

  /** Resolves when it is worth looking again: a place was freed, or the time is over. */
  function turnInLine(arrival: number, leftMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        timer.cancel();
        signal?.removeEventListener("abort", abort);
        const place = line.findIndex((each) => each.arrival === arrival);
        if (place >= 0) line.splice(place, 1);
      };
      const look = (): void => {
        leave();
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(
          new DomainError("session.limit", "The caller no longer waits for the session", { details: { limit: max } }),
        );
      };
      const timer = clock.after(leftMs, look, { keepAlive: true });
      signal?.addEventListener("abort", abort, { once: true });
      const behind = line.findIndex((each) => each.arrival > arrival);
      line.splice(behind < 0 ? line.length : behind, 0, { arrival, look });
    });
  }

  return {
    async enter(waitMs, signal, make) {
      await waitForRoom(waitMs, signal);
      try {
        return await make();
      } finally {
        entering--;
        wakeFirst(); // there may be room for more than one
      }
    },
    freed: wakeFirst,
    get waiting() {
      return line.length;
    },
  };
}

export function sessionLimit(figures: {
  readonly limit: number;
  readonly used: number;
  readonly waiting: number;
}): DomainError {
  return new DomainError(
    "session.limit",
    `${figures.used} sessions are open, and there may be ${figures.limit}; end or suspend one ("sylk session close", "sylk session suspend"), or raise sessions.max`,
    { details: figures, retryAfterMs },
  );
}
