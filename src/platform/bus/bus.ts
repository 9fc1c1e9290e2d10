/**
 * Bus: publish and subscribe by subject, inside one process.
 *
 *   publish(subject, message) -> subject trie -> handlers, one after the other, in order of subscription
 *
 * Snapshot rule: a publish reaches those subscribed when it began. Who subscribes during delivery gets the next message;
 * who unsubscribes during delivery is not called any more, because its owner may have torn down what the handler uses.
 * A publish from inside a handler is delivered completely before the outer one goes on.
 * Invariant: no handler can keep a message from another; every failure, thrown or rejected, reaches `onSubscriberError`.
 */
import { createSubjectTrie } from "./subject-trie.ts";

export type Handler<Message> = (message: Message, subject: string) => void | Promise<void>;

/** What is needed to say which subscription failed on what. */
export type SubscriberFailure<Message> = {
  readonly error: unknown;
  readonly pattern: string;
  readonly subject: string;
  readonly message: Message;
};

export interface BusOptions<Message> {
  /** If this throws as well, the others still get the message and `publish` throws afterwards. */
  readonly onSubscriberError: (failure: SubscriberFailure<Message>) => void;
}

export interface Bus<Message> {
  /** Returns how many handlers were called; one that failed counts, it has seen the message. */
  publish(subject: string, message: Message): number;
  /** Returns the way to end the subscription; calling it again does nothing. */
  subscribe(pattern: string, handler: Handler<Message>): () => void;
  /** Live subscriptions. */
  readonly size: number;
}

/** An identity of its own per subscription: one handler may be subscribed twice, and then hears twice. */
type Subscription<Message> = {
  readonly order: number;
  readonly pattern: string;
  readonly handler: Handler<Message>;
  live: boolean;
};

export function createBus<Message>({ onSubscriberError }: BusOptions<Message>): Bus<Message> {
  const trie = createSubjectTrie<Subscription<Message>>();
  let nextOrder = 0;
  let size = 0;

  const subscribe = (pattern: string, handler: Handler<Message>): (() => void) => {
    const subscription = { order: nextOrder++, pattern, handler, live: true };
    trie.add(pattern, subscription);
    size++;
    return () => {
      if (!subscription.live) return;
      subscription.live = false;
      trie.remove(pattern, subscription);
      size--;
    };
  };

  const deliver = ({ handler, pattern }: Subscription<Message>, subject: string, message: Message): void => {
    const report = (error: unknown) => onSubscriberError({ error, pattern, subject, message });
    let pending: void | Promise<void>;
    try {
      pending = handler(message, subject);
    } catch (error) {
      report(error);
      return;
    }
    if (pending instanceof Promise) pending.catch(report);
  };

  const publish = (subject: string, message: Message): number => {
    let delivered = 0;
    const unreported: unknown[] = [];
    for (const subscription of inOrder(trie.match(subject).subscribers)) {
      if (!subscription.live) continue;
      delivered++;
      try {
        deliver(subscription, subject, message);
      } catch (error) {
        unreported.push(error);
      }
    }
    if (unreported.length > 0)
      throw new AggregateError(unreported, `onSubscriberError failed ${unreported.length} times on "${subject}"`);
    return delivered;
  };

  return {
    publish,
    subscribe,
    get size() {
      return size;
    },
  };
}

function inOrder<Message>(subscriptions: ReadonlySet<Subscription<Message>>): Subscription<Message>[] {
  return [...subscriptions].sort((a, b) => a.order - b.order);
}
