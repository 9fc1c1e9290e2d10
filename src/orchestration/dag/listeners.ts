/** Who listens to a run. Nobody who throws, rejects or leaves in the middle changes what the others hear. */

export type Listener<Fact> = (fact: Fact) => void | Promise<void>;

export type Listeners<Fact> = {
  tell(fact: Fact): void;
  /** Nobody listens, so nothing needs to be prepared. */
  none(): boolean;
  /** Returns the way to stop listening. */
  add(listener: Listener<Fact>): () => void;
};

export function createListeners<Fact>(onError: (error: unknown) => void = () => {}): Listeners<Fact> {
  const listeners = new Map<symbol, Listener<Fact>>();
  const report = (error: unknown): void => {
    try {
      onError(error);
    } catch {
      // Nobody is left to tell, and a run outlives its audience.
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
