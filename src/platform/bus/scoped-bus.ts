/**
 * A bus seen from inside one scope: subjects get the scope's prefix by themselves, and everything ends with the scope.
 *
 *   scoped("session.s1").publish("librarian.requests") -> "session.s1.librarian.requests"
 *
 * Invariant: after `close` nothing below the prefix is subscribed, and nothing published through here reaches a subscriber.
 */
import type { Bus, Handler, SubscribeOptions } from "./bus.ts";
import { parseSubject } from "./parse-subject.ts";

export interface ScopedBus<Message> {
  publish(subject: string, message: Message): number;
  send(subject: string, message: Message, signal?: AbortSignal): Promise<number>;
  subscribe(pattern: string, handler: Handler<Message>, options?: SubscribeOptions<Message>): () => void;
  /** Outside the scope's prefix, such as a shared service; still ends with the scope. */
  subscribeOutside(pattern: string, handler: Handler<Message>, options?: SubscribeOptions<Message>): () => void;
  close(): void;
  readonly isClosed: boolean;
}

export function scopedBus<Message>(bus: Bus<Message>, prefix: string): ScopedBus<Message> {
  parseSubject(prefix);
  const outside = new Set<() => void>();
  let isClosed = false;

  const refuseClosed = (): void => {
    if (isClosed) throw new Error(`"${prefix}" is closed; open it again before subscribing`);
  };
  return {
    publish: (subject, message) => (isClosed ? 0 : bus.publish(`${prefix}.${subject}`, message)),
    send: async (subject, message, signal) => (isClosed ? 0 : bus.send(`${prefix}.${subject}`, message, signal)),
    subscribe(pattern, handler, options) {
      refuseClosed();
      return bus.subscribe(`${prefix}.${pattern}`, handler, options);
    },
    subscribeOutside(pattern, handler, options) {
      refuseClosed();
      const leave = bus.subscribe(pattern, handler, options);
      outside.add(leave);
      return () => {
        outside.delete(leave);
        leave();
      };
    },
    close() {
      isClosed = true;
      bus.endBelow(prefix);
      for (const leave of outside) leave();
      outside.clear();
    },
    get isClosed() {
      return isClosed;
    },
  };
}
