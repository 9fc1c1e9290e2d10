/**
 * Tells a person that they are needed, once for each cause.
 *
 *   something waits -> untold causes -> quiet hours? held until their end : marked as sent -> command, webhook
 *
 * A cause is marked before it is sent, so no restart repeats it; what cannot be sent is counted and shown. The same question
 * of several askers is one cause. What is settled before it was told is not told.
 */
import type { InboxItem } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { quietLeftMs } from "../../platform/quiet-hours.ts";
import type { Store } from "../../platform/store/index.ts";

import type { NoticeRepository } from "./store.ts";

export type Notice = { readonly text: string; readonly items: readonly InboxItem[] };
/** One way to tell a person; it retries by itself and rejects when all attempts failed. */
export type SendNotice = (notice: Notice) => Promise<void>;

export type NotifierPorts = {
  readonly store: Store<{ readonly notices: NoticeRepository }>;
  readonly clock: Clock;
  readonly waiting: () => Promise<readonly InboxItem[]>;
  readonly senders: readonly SendNotice[];
  readonly quietHours: string;
  readonly onFailed: (error: unknown) => void;
};
export type Notifier = {
  /** Looks at what waits; calls that come meanwhile are one more look. */
  look(): Promise<void>;
  stop(): void;
};

export function createNotifier(ports: NotifierPorts): Notifier {
  const { store, clock, waiting, senders, quietHours, onFailed } = ports;
  let looking: Promise<void> | undefined;
  let again = false;
  let quietEnd: { cancel(): void } | undefined;
  let stopped = false;

  async function lookOnce(): Promise<void> {
    const byCause = new Map<string, InboxItem>();
    for (const item of await waiting())
      if (item.status === "waiting" && !byCause.has(causeOf(item))) byCause.set(causeOf(item), item);
    const quietMs = quietLeftMs(quietHours, clock.now());
    const told = await store.transact("notices", async ({ notices }) => {
      const untold = await notices.untold([...byCause.keys()]);
      if (quietMs > 0) await notices.hold(untold, clock.now());
      else await notices.markSent(untold, clock.now());
      return untold;
    });
    if (told.length === 0 || stopped) return;
    if (quietMs > 0) {
      quietEnd ??= clock.after(quietMs, () => ((quietEnd = undefined), void look()));
      return;
    }
    const items = told.map((cause) => byCause.get(cause)!);
    const sent = await Promise.allSettled(senders.map((send) => send({ text: textOf(items), items })));
    const failures = sent.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    if (failures.length === 0) return;
    await store.transact("notices", ({ notices }) => notices.markFailed(told, failures.join("; ").slice(0, 500)));
    onFailed(new Error(failures.join("; ")));
  }

  async function lookAll(): Promise<void> {
    do {
      again = false;
      await lookOnce();
    } while (again && !stopped);
  }

  function look(): Promise<void> {
    if (senders.length === 0 || stopped) return Promise.resolve();
    if (looking !== undefined) again = true;
    return (looking ??= lookAll()
      .catch(onFailed)
      .finally(() => (looking = undefined)));
  }

  return {
    look,
    stop() {
      stopped = true;
      quietEnd?.cancel();
    },
  };
}

/** A question that is asked again, by another engineer or after a restart, is the same cause. */
function causeOf({ id, kind, run, question, by }: InboxItem): string {
  return run === undefined ? `${kind} ${id} ${by}` : `${kind} ${run} ${question}`;
}

function textOf(items: readonly InboxItem[]): string {
  const [first] = items;
  if (items.length === 1) return `${first!.project}: ${first!.question} (${first!.by} asks; sylk approvals)`;
  const projects = [...new Set(items.map(({ project }) => project))].join(", ");
  return `${items.length} decisions wait for you in ${projects} (sylk approvals)`;
}
