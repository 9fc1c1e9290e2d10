/** The listeners of a run. A listener that throws, rejects or unsubscribes during a call does not affect the others. */

export type Listener<Fact> = (fact: Fact) => void | Promise<void>;

export type Listeners<Fact> = {
  tell(fact: Fact): void;
  /** True without listeners, so that callers need not prepare facts. */
  none(): boolean;
  /** Returns a function that unsubscribes. */
  add(listener: Listener<Fact>): () => void;
};

export function createListeners<Fact>(onError: (error: unknown) => void = () => {}): Listeners<Fact> {
  const listeners = new Map<symbol, Listener<Fact>>();
  const report = (error: unknown): void => {
    try {
      onError(error);
    } catch {
      // The error handler itself failed. The run must continue.
    }
  };
  return {
    none: () => listeners.size === 0,
    tell(fact) {
      for (const listener of listeners.values()) {
        try {
          const pending = listener(fact);
          if (pending instanceof Promise) pending.catch(report);
        } catch (error) {
          report(error);
        }
      }
    },
    add(listener) {
      const key = Symbol("listener");
      listeners.set(key, listener);
      return () => void listeners.delete(key);
    },
  };
}
