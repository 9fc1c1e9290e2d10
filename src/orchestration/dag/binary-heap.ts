/**
 * A queue that returns its smallest item first. `steps` counts comparisons, a cost that does not depend on machine load.
 *
 *   push -> in order? -> the run, a plain queue        pop -> the smaller of the run's first and the heap's smallest
 *               `-> the heap
 *
 * Nodes mostly become ready in plan order. Then each operation costs one step.
 */

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

  const addToHeap = (item: Item): void => {
    items.push(item);
    rise(items.length - 1);
  };
  const takeFromHeap = (): Item | undefined => {
    const first = items[0];
    const last = items.pop();
    if (items.length === 0) return first;
    items[0] = last as Item;
    sink();
    return first;
  };

  let run: Item[] = [];
  let next = 0;
  const takeFromRun = (): Item | undefined => {
    const first = run[next++];
    // Half of the run is consumed. Moving the rest costs no more than consuming that half did.
    if (2 * next > run.length + 16) [run, next] = [run.slice(next), 0];
    return first;
  };
  const runIsNext = (): boolean => {
    if (next >= run.length) return false;
    if (items.length === 0) return true;
    steps++;
    return !before(items[0] as Item, run[next] as Item);
  };

  return {
    push(item) {
      const last = run.at(-1);
      if (next < run.length) steps++;
      if (next >= run.length || !before(item, last as Item)) run.push(item);
      else addToHeap(item);
    },
    pop: () => (runIsNext() ? takeFromRun() : takeFromHeap()),
    peek: () => (runIsNext() ? run[next] : items[0]),
    get steps() {
      return steps;
    },
  };
}
