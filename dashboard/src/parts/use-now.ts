/** The time as the page shows it: one clock for all components, moved once a second. */
import { useSyncExternalStore } from "react";

const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(onChange: () => void): () => void {
  watchers.add(onChange);
  now = Date.now(); // it stood still while no component showed a time
  timer ??= setInterval(tick, 1_000);
  return () => {
    watchers.delete(onChange);
    if (watchers.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}
