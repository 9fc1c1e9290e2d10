/** A queue that gives its least item first; `steps` counts comparisons, the cost in a unit that no busy machine blurs. */

export type Heap<Item> = {
  push(item: Item): void;
  pop(): Item | undefined;
  peek(): Item | undefined;
  readonly steps: number;
};

export function createHeap<Item>(before: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = [];
  let steps = 0;

  /** True when the item at `upper` must sink below the one at `lower`. */
  const wrong = (upper: number, lower: number): boolean => {
    steps++;
    return before(items[lower] as Item, items[upper] as Item);
  };
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [items[b] as Item, items[a] as Item];
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!wrong(above, at)) return;
      swap(above, at);
      at = above;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      if (left >= items.length) return;
      const least = left + 1 < items.length && wrong(left, left + 1) ? left + 1 : left;
      if (!wrong(at, least)) return;
      swap(at, least);
      at = least;
    }
  };

  return {
    push(item) {
      items.push(item);
      rise(items.length - 1);
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0) return first;
      items[0] = last as Item;
      sink();
      return first;
    },
    peek: () => items[0],
    get steps() {
      return steps;
    },
  };
}
