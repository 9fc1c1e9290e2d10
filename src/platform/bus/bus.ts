/**
 * Bus: publish and subscribe by subject, inside one process.
 *
 *   publish(subject, message) -> subject trie -> filters -> direct: handlers, one after the other, in order of subscription
 *                                                       \-> queued: a bounded queue each, handled in its own time
 *
 * Snapshot rule: a publish reaches those subscribed when it began. Who subscribes during delivery gets the next message;
 * who unsubscribes during delivery is not called any more, because its owner may have torn down what the handler uses.
 * A publish from inside a handler is delivered completely before the outer one continues.
 * A full queue does what its subscription says: `block` lets `send` wait and refuses `publish`, `reject` refuses both,
 * `dead-letter` puts the message aside. A refused message has reached no subscriber, so trying again doubles nothing.
 * Queues, `send` and `replay` have no caller in the daemon yet; the Messages page of the dashboard (part 12) is the first.
 * Invariant: no handler can keep a message from another; every failure, thrown or rejected, reaches `onSubscriberError`;
 * what a queue has taken is handled or becomes a dead letter.
 */
import { defined } from "../defined.ts";
import type { DeadLetterReason, DeadLetters } from "./dead-letters.ts";
import { QueueFull } from "./queue-full.ts";
import { createSubjectTrie } from "./subject-trie.ts";
import { createSubscriptionQueue, type SubscriptionQueue } from "./subscription-queue.ts";

export type Handler<Message> = (message: Message, subject: string) => void | Promise<void>;

/** Names the subscription that failed, and the message it failed on. */
export type SubscriberFailure<Message> = {
  readonly error: unknown;
  readonly pattern: string;
  readonly subject: string;
  readonly message: Message;
};

export interface BusOptions<Message> {
  /** If this throws as well, the others still get the message and `publish` throws afterwards. */
  readonly onSubscriberError: (failure: SubscriberFailure<Message>) => void;
  /** Needed by queued subscriptions: a queue that ends must not lose what it holds. */
  readonly deadLetters?: DeadLetters<Message>;
}

export type WhenFull = "block" | "reject" | "dead-letter";

export interface SubscribeOptions<Message> {
  /** Names it in counters, dead letters and replays; the pattern, unless said. */
  readonly name?: string;
  readonly accepts?: (message: Message, subject: string) => boolean;
  readonly queue?: { readonly whenFull: WhenFull; readonly capacity?: number };
}

export type SubscriptionState = {
  readonly name: string;
  readonly pattern: string;
  readonly whenFull?: WhenFull;
  readonly waiting: number;
  readonly blocked: number;
  readonly highWater: number;
  readonly delivered: number;
  readonly failed: number;
  readonly rejected: number;
  readonly deadLettered: number;
};

export interface Bus<Message> {
  /** Returns how many subscriptions took it; one whose handler failed counts, it has seen the message. */
  publish(subject: string, message: Message): number;
  /** As `publish`, and waits until every blocking queue has room; the others have the message meanwhile. */
  send(subject: string, message: Message, signal?: AbortSignal): Promise<number>;
  /** Returns the way to end the subscription; calling it again does nothing. A leading `*.` means `**.`. */
  subscribe(pattern: string, handler: Handler<Message>, options?: SubscribeOptions<Message>): () => void;
  /** Ends every subscription whose pattern lies below this subject. */
  endBelow(subject: string): void;
  /** Hands a dead letter to the subscription of that name again; false, and the letter stays, if none of them has room. */
  replay(deadLetter: number): boolean;
  subscriptions(): readonly SubscriptionState[];
  /** Live subscriptions. */
  readonly size: number;
}

type Item<Message> = { readonly subject: string; readonly message: Message; readonly attempts: number };
type Counters = { delivered: number; failed: number; rejected: number; deadLettered: number };

/** An identity of its own per subscription: one handler may be subscribed twice, and then hears twice. */
type Subscription<Message> = {
  readonly order: number;
  readonly name: string;
  readonly pattern: string;
  readonly handler: Handler<Message>;
  readonly accepts: SubscribeOptions<Message>["accepts"];
  readonly whenFull: WhenFull | undefined;
  readonly queue: SubscriptionQueue<Item<Message>> | undefined;
  readonly counters: Counters;
  live: boolean;
};

/** Messages per subscription, unless it says otherwise. */
const defaultCapacity = 256;

export function createBus<Message>({ onSubscriberError, deadLetters }: BusOptions<Message>): Bus<Message> {
  const trie = createSubjectTrie<Subscription<Message>>();
  const live = new Set<Subscription<Message>>();
  let nextOrder = 0;

  function subscribe(pattern: string, handler: Handler<Message>, options: SubscribeOptions<Message> = {}): () => void {
    const { name = pattern, accepts, queue } = options;
    if (queue !== undefined && deadLetters === undefined)
      throw new TypeError(`"${name}" asks for a queue on a bus without dead letters; give createBus a place for them`);
    const subscription: Subscription<Message> = {
      order: nextOrder++,
      name,
      pattern: pattern.startsWith("*.") ? `*${pattern}` : pattern,
      handler,
      accepts,
      whenFull: queue?.whenFull,
      queue: queue && createSubscriptionQueue(checkedCapacity(queue.capacity), (item) => handle(subscription, item)),
      counters: { delivered: 0, failed: 0, rejected: 0, deadLettered: 0 },
      live: true,
    };
    trie.add(subscription.pattern, subscription);
    live.add(subscription);
    return () => end(subscription);
  }

  function end(subscription: Subscription<Message>): void {
    if (!subscription.live) return;
    subscription.live = false;
    trie.remove(subscription.pattern, subscription);
    live.delete(subscription);
    const left = subscription.queue?.close(
      new Error(`"${subscription.name}" has ended; its messages have no receiver`),
    );
    for (const item of left ?? []) putAside(subscription, item, "subscription_ended");
  }

  function putAside(
    subscription: Subscription<Message>,
    item: Item<Message>,
    reason: DeadLetterReason,
    error?: unknown,
  ) {
    subscription.counters.deadLettered++;
    deadLetters?.add({ ...item, subscription: subscription.name, reason, ...defined({ error }) });
  }

  function failed(subscription: Subscription<Message>, { subject, message }: Item<Message>, error: unknown): void {
    subscription.counters.failed++;
    onSubscriberError({ error, pattern: subscription.pattern, subject, message });
  }

  /** Of a queue: what failed is put aside, and a report that fails must not stop the queue. */
  function handle(subscription: Subscription<Message>, item: Item<Message>): void | Promise<void> {
    const fail = (error: unknown): void => {
      putAside(subscription, item, "processing_error", error);
      try {
        failed(subscription, item, error);
      } catch (unreported) {
        queueMicrotask(() => {
          throw unreported;
        });
      }
    };
    subscription.counters.delivered++;
    try {
      const pending = subscription.handler(item.message, item.subject);
      if (pending instanceof Promise) return pending.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  function deliver(subscription: Subscription<Message>, item: Item<Message>): void {
    subscription.counters.delivered++;
    let pending: void | Promise<void>;
    try {
      pending = subscription.handler(item.message, item.subject);
    } catch (error) {
      failed(subscription, item, error);
      return;
    }
    if (pending instanceof Promise) pending.catch((error: unknown) => failed(subscription, item, error));
  }

  /** Whom it is for. A filter that throws has not accepted. */
  function receivers(item: Item<Message>, unreported: unknown[]): Subscription<Message>[] {
    const found = inOrder(trie.match(item.subject).subscribers);
    if (found.every(({ accepts }) => accepts === undefined)) return found;
    const accepting = found.filter((subscription) => {
      try {
        return subscription.accepts?.(item.message, item.subject) ?? true;
      } catch (error) {
        attempt(unreported, () => failed(subscription, item, error));
        return false;
      }
    });
    return accepting.filter(({ live }) => live); // the filter of a later one may have ended it
  }

  function refuseWhereFull(subject: string, queued: readonly Subscription<Message>[], waits: boolean): void {
    const full = queued.filter(
      ({ queue, whenFull }) => queue?.isFull && (whenFull === "reject" || (whenFull === "block" && !waits)),
    );
    if (full.length === 0) return;
    for (const { counters } of full) counters.rejected++;
    const wayOut = full.some(({ whenFull }) => whenFull === "reject") ? "try again later" : "use send, which waits";
    throw new QueueFull(
      subject,
      full.map(({ name }) => name),
      wayOut,
    );
  }

  /** Queues first: a direct handler may publish, and must not take the room that was just checked. */
  function fillQueues(
    queued: readonly Subscription<Message>[],
    item: Item<Message>,
    signal: AbortSignal | undefined,
  ): Promise<void>[] {
    const parked: Promise<void>[] = [];
    for (const subscription of queued) {
      const { queue, whenFull } = subscription;
      if (!queue?.isFull) queue?.put(item);
      else if (whenFull === "block") parked.push(queue.park(item, signal));
      else putAside(subscription, item, "queue_full");
    }
    return parked;
  }

  function spread(item: Item<Message>, waits: boolean, signal?: AbortSignal) {
    const unreported: unknown[] = [];
    const chosen = receivers(item, unreported);
    let direct = chosen;
    let parked: Promise<void>[] = [];
    if (chosen.some(({ queue }) => queue !== undefined)) {
      direct = chosen.filter(({ queue }) => queue === undefined);
      const queued = chosen.filter(({ queue }) => queue !== undefined);
      refuseWhereFull(item.subject, queued, waits);
      parked = fillQueues(queued, item, signal);
    }
    let taken = chosen.length - direct.length;
    for (const subscription of direct) {
      if (!subscription.live) continue;
      taken++;
      attempt(unreported, () => deliver(subscription, item));
    }
    if (unreported.length === 0) return { taken, parked };
    for (const blocked of parked) blocked.catch(() => {}); // the sender learns of the failed report instead
    throw new AggregateError(unreported, `onSubscriberError failed ${unreported.length} times on "${item.subject}"`);
  }

  return {
    publish: (subject, message) => spread({ subject, message, attempts: 1 }, false).taken,
    async send(subject, message, signal) {
      signal?.throwIfAborted();
      const { taken, parked } = spread({ subject, message, attempts: 1 }, true, signal);
      await Promise.all(parked);
      return taken;
    },
    subscribe,
    endBelow(subject) {
      for (const subscription of trie.below(subject)) end(subscription);
    },
    replay(number) {
      const letter = deadLetters?.get(number);
      if (!letter) return false;
      const { subject, message, attempts, subscription: name } = letter;
      const again = inOrder(trie.match(subject).subscribers).find(
        (subscription) => subscription.name === name && subscription.queue?.isFull === false,
      );
      if (!again) return false;
      deadLetters?.remove(number);
      again.queue?.put({ subject, message, attempts: attempts + 1 });
      return true;
    },
    subscriptions: () => [...live].map(stateOf),
    get size() {
      return live.size;
    },
  };
}

function checkedCapacity(capacity = defaultCapacity): number {
  if (Number.isInteger(capacity) && capacity > 0) return capacity;
  throw new RangeError(`a queue's capacity is a whole number of messages above 0, not ${capacity}`);
}

function attempt(failures: unknown[], act: () => void): void {
  try {
    act();
  } catch (error) {
    failures.push(error);
  }
}

function stateOf<Message>({ name, pattern, whenFull, queue, counters }: Subscription<Message>): SubscriptionState {
  const { waiting = 0, blocked = 0, highWater = 0 } = queue ?? {};
  return { name, pattern, ...(whenFull && { whenFull }), waiting, blocked, highWater, ...counters };
}

function inOrder<Message>(subscriptions: ReadonlySet<Subscription<Message>>): Subscription<Message>[] {
  const found = [...subscriptions];
  return found.length < 2 ? found : found.sort((a, b) => a.order - b.order);
}
