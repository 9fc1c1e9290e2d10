/**
 * A queue by name: work on different names runs at once, work on the same name in the order of the requests.
 * All names of a piece of work are taken in one step, so that it only ever waits for older work: there is no deadlock.
 */
export type KeyedQueue = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const lastOf = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = names.map((name) => lastOf.get(name) ?? Promise.resolve());
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    for (const name of names) lastOf.set(name, ended);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      for (const name of names) if (lastOf.get(name) === ended) lastOf.delete(name);
      end();
    }
  };
}
