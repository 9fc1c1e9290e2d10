/**
 * The event log as the page follows it: the newest page, older ones on demand, and the live tail.
 *
 *   live batch -> folded once a frame -> merged while following, counted while not
 *   hole between what was read and what came live -> read by cursor
 *
 * It holds a bounded number of events. It touches neither the document nor the network itself.
 */
import { DomainError, type LogEvent } from "../daemon/contract.ts";
import {
  emptyLog,
  endOf,
  type EventPage,
  type HeldLog,
  holesIn,
  markRemoved,
  mergePage,
  type Range,
  startOf,
  trimLog,
} from "./merge-events.ts";

type ReadInput = { readonly after: number; readonly newest?: boolean; readonly limit: number };
type ReadAnswer = {
  readonly items: readonly LogEvent[];
  readonly lastSequence: number;
  readonly nextCursor?: string | undefined;
};
export type TailPorts = {
  readonly read: (input: ReadInput) => Promise<ReadAnswer>;
  readonly watchEvents: (onEvents: (events: readonly LogEvent[]) => void) => () => void;
  readonly nextFrame: (work: () => void) => void;
  /** The filter of `read`, for live events. */
  readonly matches: (event: LogEvent) => boolean;
  readonly most?: number;
};
export type TailView = {
  readonly log: HeldLog;
  readonly isReady: boolean;
  readonly isFollowing: boolean;
  /** Live events that matched while the reader was looking at older ones. */
  readonly unseen: number;
  readonly isLoading: boolean;
  readonly reachedStart: boolean;
  readonly problem?: Error | undefined;
};

const pageSize = 1_000;
const firstPage = 200;

export function createEventTail({ read, watchEvents, nextFrame, matches, most = 20_000 }: TailPorts) {
  const watchers = new Set<() => void>();
  let view: TailView = {
    log: emptyLog,
    isReady: false,
    isFollowing: true,
    unseen: 0,
    isLoading: true,
    reachedStart: false,
  };
  let arrived: LogEvent[] = [];
  let isScheduled = false;
  let isStopped = false;
  let newestHeard = 0;
  let window = pageSize;
  let unwatch = (): void => {};

  function become(change: Partial<TailView>): void {
    if (isStopped) return;
    view = { ...view, ...change };
    for (const watcher of watchers) watcher();
  }

  function onEvents(events: readonly LogEvent[]): void {
    for (const event of events) arrived.push(event);
    if (isScheduled) return;
    isScheduled = true;
    nextFrame(fold);
  }

  /** Everything that arrived since the last frame, at once. */
  function fold(): void {
    isScheduled = false;
    if (!view.isReady || isStopped || arrived.length === 0) return;
    const batch = arrived.filter(({ sequence }) => sequence > newestHeard);
    arrived = [];
    if (batch.length === 0) return;
    newestHeard = batch.at(-1)!.sequence;
    if (!view.isFollowing) {
      const more = batch.filter(matches).length;
      if (more > 0) become({ unseen: view.unseen + more });
      return;
    }
    const log = unbroken(batch).reduce(
      (merged, page) => mergePage(merged, { ...page, events: page.events.filter(matches) }),
      view.log,
    );
    become({ log: trimLog(log, most, "newest") });
    for (const hole of holesIn(view.log)) void fill(hole);
  }

  /** Reads forward through a range; what retention has taken becomes a gap. */
  async function fill({ after, upTo }: Range): Promise<void> {
    for (let cursor = after; cursor < upTo;) {
      const page = await readPage({ after: cursor, limit: pageSize });
      if (page === undefined || isStopped) return;
      if ("removedUpTo" in page) {
        become({ log: markRemoved(view.log, page.removedUpTo) });
        if (page.removedUpTo <= cursor) return;
        cursor = page.removedUpTo;
        continue;
      }
      const end = Math.min(page.lastSequence, upTo);
      const events = page.items.filter(({ sequence }) => sequence <= end);
      become({ log: mergePage(view.log, { after: cursor, upTo: end, events }) });
      if (page.lastSequence <= cursor) return;
      cursor = page.lastSequence;
    }
  }

  async function readPage(input: ReadInput): Promise<ReadAnswer | { readonly removedUpTo: number } | undefined> {
    try {
      return await read(input);
    } catch (error) {
      if (error instanceof DomainError && error.code === "events.truncated")
        return { removedUpTo: Number(error.details["oldest"] ?? input.after + 1) };
      become({ problem: error instanceof Error ? error : new Error(String(error)), isLoading: false });
      return undefined;
    }
  }

  async function readNewest(): Promise<void> {
    become({ isLoading: true, problem: undefined });
    const page = await readPage({ after: 0, newest: true, limit: firstPage });
    if (page === undefined || "removedUpTo" in page) return;
    const { items, lastSequence } = page;
    newestHeard = lastSequence;
    // Fewer than asked for: there are no older ones, unless retention took them.
    window = items.length < firstPage ? Infinity : pageSize;
    const after = (items[0]?.sequence ?? lastSequence + 1) - 1;
    const log = mergePage(emptyLog, { after: Math.min(after, lastSequence - 1), upTo: lastSequence, events: items });
    become({ log, isReady: true, isFollowing: true, unseen: 0, isLoading: false, reachedStart: lastSequence === 0 });
    if (window === Infinity) await loadOlder();
    fold();
  }

  /** The window before the oldest event held. A window without a match is followed by a larger one. */
  async function loadOlder(): Promise<void> {
    if (view.isLoading || view.reachedStart || !view.isReady) return;
    become({ isLoading: true, problem: undefined });
    const had = view.log.events.length;
    const wanted = had === 0 ? 1 : 50;
    for (;;) {
      const upTo = startOf(view.log);
      const after = Math.max(0, upTo - window);
      await fill({ after, upTo });
      if (isStopped || view.problem !== undefined) return;
      const isAtStart = startOf(view.log) <= 0;
      const found = view.log.events.length - had;
      if (found < wanted) window *= 4;
      if (isAtStart) become({ reachedStart: true });
      if (isAtStart || found >= wanted) break;
    }
    const log = view.isFollowing ? view.log : trimLog(view.log, most, "oldest");
    become({ log, isLoading: false });
  }

  async function follow(): Promise<void> {
    const missed = newestHeard - endOf(view.log);
    if (missed > most / 2) return readNewest();
    become({ isFollowing: true, unseen: 0 });
    if (missed > 0) await fill({ after: endOf(view.log), upTo: newestHeard });
    become({ log: trimLog(view.log, most, "newest") });
  }

  return {
    view: (): TailView => view,
    watch(onChange: () => void): () => void {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
    /** Listening comes before reading: nothing falls between the two. */
    start(): () => void {
      isStopped = false;
      unwatch = watchEvents(onEvents);
      void readNewest();
      return () => {
        isStopped = true;
        unwatch();
      };
    },
    loadOlder,
    follow,
    unfollow: (): void => (view.isFollowing ? become({ isFollowing: false }) : undefined),
  };
}

/** Live events as pages: a stream that was cut may have left some out. */
function unbroken(batch: readonly LogEvent[]): readonly EventPage[] {
  const pages: { after: number; upTo: number; events: LogEvent[] }[] = [];
  for (const event of batch) {
    const last = pages.at(-1);
    if (last?.upTo === event.sequence - 1) {
      last.events.push(event);
      last.upTo = event.sequence;
    } else pages.push({ after: event.sequence - 1, upTo: event.sequence, events: [event] });
  }
  return pages;
}
