/**
 * Dead letters: messages that their subscription could not take or handle, kept until they are read.
 *
 *   full queue | failed handler | ended subscription -> add -> list -> bus.replay
 *
 * Only queued subscriptions make dead letters, and the daemon has none so far: the Messages page of the dashboard (part 12)
 * will have them, and show its dead letters. Requests that the Guide could not deliver are kept apart (`undelivered.ts`).
 * Bounded: the oldest makes room, and `evicted` says how often that happened.
 */
import type { Clock } from "../clock/index.ts";

export type DeadLetterReason = "queue_full" | "processing_error" | "subscription_ended";

export type DeadLetter<Message> = {
  /** Grows by one per letter; names it for replay. */
  readonly number: number;
  readonly subject: string;
  readonly message: Message;
  readonly subscription: string;
  readonly reason: DeadLetterReason;
  /** How often the message was handed to this subscription, replays included. */
  readonly attempts: number;
  readonly at: number;
  readonly error?: unknown;
};

export interface DeadLetters<Message> {
  add(letter: Omit<DeadLetter<Message>, "number" | "at">): void;
  /** Oldest first. */
  list(wanted?: { readonly subscription?: string; readonly reason?: DeadLetterReason }): readonly DeadLetter<Message>[];
  get(number: number): DeadLetter<Message> | undefined;
  remove(number: number): void;
  readonly size: number;
  readonly evicted: number;
}

type Options = { readonly clock: Clock; readonly capacity?: number };

export function createDeadLetters<Message>({ clock, capacity = 10_000 }: Options): DeadLetters<Message> {
  const letters = new Map<number, DeadLetter<Message>>();
  let next = 1;
  let evicted = 0;
  return {
    add(letter) {
      for (const oldest of letters.keys()) {
        if (letters.size < capacity) break;
        letters.delete(oldest);
        evicted++;
      }
      letters.set(next, { ...letter, number: next, at: clock.now() });
      next++;
    },
    list: ({ subscription, reason } = {}) =>
      [...letters.values()].filter(
        (letter) =>
          (subscription === undefined || letter.subscription === subscription) &&
          (reason === undefined || letter.reason === reason),
      ),
    get: (number) => letters.get(number),
    remove: (number) => void letters.delete(number),
    get size() {
      return letters.size;
    },
    get evicted() {
      return evicted;
    },
  };
}
