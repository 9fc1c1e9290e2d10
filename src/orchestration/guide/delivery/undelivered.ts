/** Requests that found no way to an answer, with the reason; bounded, the oldest makes room and is counted. */
import type { Message } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";

export type UndeliveredReason =
  | "circuit_open"
  | "retry_exhausted"
  | "timeout"
  | "unroutable"
  | "rejected"
  | "processing_error";

export type Undelivered = {
  readonly message: Message;
  readonly topic: string;
  readonly reason: UndeliveredReason;
  readonly attempts: number;
  readonly error: string;
  readonly at: number;
};

export interface UndeliveredRequests {
  add(letter: Omit<Undelivered, "at">): void;
  /** Oldest first. */
  list(): readonly Undelivered[];
  readonly evicted: number;
}

export function createUndelivered({
  clock,
  capacity = 10_000,
}: {
  readonly clock: Clock;
  readonly capacity?: number;
}): UndeliveredRequests {
  const letters: Undelivered[] = [];
  let evicted = 0;
  return {
    add(letter) {
      if (letters.length >= capacity) {
        letters.shift();
        evicted++;
      }
      letters.push({ ...letter, at: clock.now() });
    },
    list: () => [...letters],
    get evicted() {
      return evicted;
    },
  };
}
