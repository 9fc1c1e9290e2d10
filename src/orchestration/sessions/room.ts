/**
 * The limit of sessions. At the limit, a caller waits in a bounded queue until a session ends or its waiting time is over.
 *
 *   enter -> below the limit? -> create the session -> … ended -> the first in the queue checks again
 *
 * The queue only avoids refusals. The insert of a session checks the limit again.
 */
import { DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

type Terms = {
  readonly clock: Clock;
  readonly max: number;
  readonly maxWaiting: number;
  /** Number of sessions that count towards the limit. */
  readonly used: () => Promise<number>;
};
export type Room = {
  enter<T>(waitMs: number, signal: AbortSignal | undefined, make: () => Promise<T>): Promise<T>;
  /** A session ended, or may no longer count. */
  freed(): void;
  readonly waiting: number;
};

const retryAfterMs = 5_000;

export function createRoom({ clock, max, maxWaiting, used }: Terms): Room {
  /** Waiting callers by arrival. A caller that checked in vain keeps its arrival number. */
  const line: { readonly arrival: number; readonly look: () => void }[] = [];
  let arrivals = 0;
  /** Number of admitted sessions that are not in the store yet. */
  let entering = 0;

  const wakeFirst = (): void => line.shift()?.look();

  async function waitForRoom(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const endsAt = clock.monotonic() + waitMs;
    const arrival = arrivals++;
    for (let isNew = true; ; isNew = false) {
      const count = await used();
      // No await until `entering` is counted, so that only one of two callers gets the last place.
      if (count + entering < max && (!isNew || line.length === 0)) return void entering++;
      const leftMs = endsAt - clock.monotonic();
      if (leftMs <= 0 || line.length >= maxWaiting)
        throw sessionLimit({ limit: max, used: count, waiting: line.length });
      await turnInLine(arrival, leftMs, signal);
    }
  }

  /** Resolves when the caller should check again: a session ended, or its time is over. */
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
          new DomainError("session.limit", "The caller stopped waiting for the session", { details: { limit: max } }),
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
        wakeFirst(); // more than one place may be free
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
    `${figures.used} sessions are open; the limit is ${figures.limit}. Close or suspend one ("sylk session close", "sylk session suspend"), or raise sessions.max`,
    { details: figures, retryAfterMs },
  );
}
