/** The time as the page shows it: one clock for all components, moved once a second. */
import { useSyncExternalStore } from "react";
import { daemonNow } from "../daemon/daemon-time.ts";

const watchers = new Set<() => void>();
let now = daemonNow();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(onChange: () => void): () => void {
  watchers.add(onChange);
  now = daemonNow(); // it stood still while no component showed a time
  timer ??= setInterval(tick, 1_000);
  return () => {
    watchers.delete(onChange);
    if (watchers.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = daemonNow();
  for (const watcher of watchers) watcher();
}
