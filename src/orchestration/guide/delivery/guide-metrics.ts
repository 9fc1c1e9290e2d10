/** The counters of the Guide, for each session and for all of them. */
import type { RoutedBy } from "../routing/decide-route.ts";
import type { UndeliveredReason } from "./undelivered.ts";

export type Counted =
  | `routed.${RoutedBy}`
  | "route.unsure"
  | "route.rejected"
  | "route.corrected"
  | "classifier.asked"
  | "classifier.failed"
  | "message.asked"
  | "message.answered"
  | "message.failed"
  | "message.expired"
  | "message.cancelled"
  | "message.retried"
  | "message.rerouted"
  | "message.dropped"
  | `undelivered.${UndeliveredReason}`;

export type Counts = Readonly<Partial<Record<Counted, number>>>;
export interface Counters {
  count(what: Counted): void;
  read(): Counts;
}

/** Whatever is counted is counted by the parent too. */
export function createCounters(parent?: Counters): Counters {
  const counts = new Map<Counted, number>();
  return {
    count(what) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      parent?.count(what);
    },
    read: () => Object.fromEntries(counts),
  };
}
