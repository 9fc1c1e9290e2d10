/**
 * The queue of one subscription: handed over one at a time, in order, each after the one before was handled.
 *
 *   put -> waiting (bounded) -> microtask -> handle -> next        park -> blocked senders, let in as room appears
 *
 * The daemon subscribes without queues so far. The Messages page of the dashboard (part 12) will read by one.
 * Invariant: `waiting` never exceeds the capacity, and every item is either handled or given back by `close`.
 */
export interface SubscriptionQueue<Item> {
  readonly isFull: boolean;
  readonly waiting: number;
  readonly blocked: number;
  readonly highWater: number;
  put(item: Item): void;
  /** Resolves once the item is in the queue. Gives up, and leaves nothing behind, when the signal says so. */
  park(item: Item, signal: AbortSignal | undefined): Promise<void>;
  /** What was never handled: queued items; blocked senders are refused with `reason`. */
  close(reason: Error): readonly Item[];
}

type Parked<Item> = { readonly item: Item; readonly enter: () => void; readonly refuse: (reason: Error) => void };

export function createSubscriptionQueue<Item>(
  capacity: number,
  handle: (item: Item) => void | Promise<void>,
): SubscriptionQueue<Item> {
  const parked = new Set<Parked<Item>>();
  let items: Item[] = [];
  let head = 0;
  let highWater = 0;
  let running = false;
  let closed = false;

  function put(item: Item): void {
    items.push(item);
    highWater = Math.max(highWater, items.length - head);
    if (running) return;
    running = true;
    queueMicrotask(() => void drain());
  }

  async function drain(): Promise<void> {
    while (!closed && head < items.length) {
      const pending = handle(take());
      if (pending) await pending;
    }
    running = false;
  }

  function take(): Item {
    const item = items[head] as Item;
    head++;
    if (head * 2 > items.length) {
      items = items.slice(head);
      head = 0;
    }
    for (const sender of parked) {
      parked.delete(sender);
      put(sender.item);
      sender.enter();
      break;
    }
    return item;
  }

  return {
    put,
    park: (item, signal) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => {
          parked.delete(sender);
          reject(reasonOf(signal));
        };
        const forget = (): void => signal?.removeEventListener("abort", giveUp);
        const sender: Parked<Item> = {
          item,
          enter: () => {
            forget();
            resolve();
          },
          refuse: (reason) => {
            forget();
            reject(reason);
          },
        };
        if (signal?.aborted) return reject(reasonOf(signal));
        signal?.addEventListener("abort", giveUp, { once: true });
        parked.add(sender);
      }),
    close(reason) {
      closed = true;
      const left = items.slice(head);
      items = [];
      head = 0;
      for (const { refuse } of parked) refuse(reason);
      parked.clear();
      return left;
    },
    get isFull() {
      return parked.size > 0 || items.length - head >= capacity;
    },
    get waiting() {
      return items.length - head;
    },
    get blocked() {
      return parked.size;
    },
    get highWater() {
      return highWater;
    },
  };
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("stopped waiting for room in a queue", { cause: reason });
}
