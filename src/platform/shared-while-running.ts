/** Work that is asked for while the same work is under way is not done twice: all who ask get the one outcome. */
export function sharedWhileRunning<Key, Result>(work: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const underWay = new Map<Key, Promise<Result>>();
  return (key) => {
    const running = underWay.get(key) ?? work(key).finally(() => void underWay.delete(key));
    underWay.set(key, running);
    return running;
  };
}
