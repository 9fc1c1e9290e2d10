/**
 * Answers of the daemon, kept up to date by its events. It touches neither the document nor the network itself.
 *
 *   session -> cursor -> stream from there -> every watched answer is read once
 *   event -> answers it concerns are stale -> stale ones that are watched are read again
 *
 * What no event tells (the daemon looks at git and at hooks behind an answer) settles: such an answer is read again twice
 * after the last event that concerned it, and then no more.
 * An answer is read again in the next frame. Each reading takes four times its duration off a credit that time gives
 * back: a few changes in a row are seen at once, and a storm of events costs at most a quarter of the tab's time.
 * Invariant: the cursor is older than every reading, so nothing falls between the two.
 */
import { DomainError, type LogEvent, type OperationName, type OutputOf } from "../daemon/contract.ts";
import { isConcerned, type Question, settles } from "./concerns.ts";

export type Connection = "connecting" | "live" | "reconnecting" | "signed-out";
export type Answer<Data> = {
  readonly data?: Data;
  /** Why the newest reading failed; `data` is then what was read before. */
  readonly problem?: Error;
};
export type AskedQuestion = Question & { readonly project?: string | undefined };
export type StreamListener = {
  readonly onOpen: () => void;
  readonly onEvents: (events: readonly LogEvent[]) => void;
  /** The stream has ended; a `DomainError` says why the daemon ended or refused it. */
  readonly onLost: (why: unknown) => void;
};
export type LivePorts = {
  readonly read: (question: AskedQuestion) => Promise<unknown>;
  /** The cursor of the newest event; throws `token.missing` where the browser is not signed in. */
  readonly signIn: () => Promise<{ readonly cursor: number }>;
  readonly openStream: (after: number, listener: StreamListener) => { close(): void };
  readonly nextFrame: (work: () => void) => void;
  readonly later: (ms: number, work: () => void) => void;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed: () => number;
};
export type LiveStore = ReturnType<typeof createLiveStore>;

const creditMs = 300;
const leastCostMs = 50;
const longestPauseMs = 2_000;
const retryMs = 1_000;
const unwatchedKept = 60;
/** After the reading that an event caused. */
const settleMs = [1_500, 6_000] as const;

type Entry = {
  readonly question: AskedQuestion;
  readonly watchers: Set<() => void>;
  answer: Answer<unknown>;
  isStale: boolean;
  isReading: boolean;
  mayReadAt: number;
  /** Until then its readings are paid for. */
  paidUntil: number;
  isScheduled: boolean;
  /** Readings that were caused by events: a later one starts the settling anew. */
  turn: number;
};

export function createLiveStore({ read, signIn, openStream, nextFrame, later, elapsed }: LivePorts) {
  const entries = new Map<string, Entry>();
  const connectionWatchers = new Set<() => void>();
  const eventWatchers = new Set<(events: readonly LogEvent[]) => void>();
  let connection: Connection = "connecting";
  let cursor = 0;
  let stream: { close(): void } | undefined;

  function become(next: Connection): void {
    if (connection === next) return;
    connection = next;
    for (const watcher of connectionWatchers) watcher();
  }

  function entryOf(question: AskedQuestion): Entry {
    const key = keyOf(question);
    const known = entries.get(key);
    if (known !== undefined) {
      entries.delete(key); // to the end: the longest unwatched is forgotten first
      entries.set(key, known);
      return known;
    }
    const fresh: Entry = {
      question,
      watchers: new Set(),
      answer: {},
      isStale: true,
      isReading: false,
      mayReadAt: 0,
      paidUntil: 0,
      isScheduled: false,
      turn: 0,
    };
    entries.set(key, fresh);
    return fresh;
  }

  function forgetUnwatched(): void {
    const unwatched = [...entries].filter(([, { watchers, isReading }]) => watchers.size === 0 && !isReading);
    for (const [key] of unwatched.slice(0, Math.max(0, unwatched.length - unwatchedKept))) entries.delete(key);
  }

  function schedule(entry: Entry): void {
    if (entry.isScheduled || entry.isReading || !entry.isStale || entry.watchers.size === 0) return;
    if (connection === "signed-out") return;
    entry.isScheduled = true;
    const wait = entry.mayReadAt - elapsed();
    const start = (): void => {
      entry.isScheduled = false;
      if (entry.watchers.size > 0 && entry.isStale && !entry.isReading) void reread(entry);
    };
    if (wait > 0) later(wait, start);
    else nextFrame(start);
  }

  async function reread(entry: Entry, isSettling = false): Promise<void> {
    entry.isReading = true;
    entry.isStale = false;
    const startedAt = elapsed();
    try {
      entry.answer = { data: await read(entry.question) };
    } catch (error) {
      if (isSignedOut(error)) signOut();
      else entry.answer = { ...entry.answer, problem: error instanceof Error ? error : new Error(String(error)) };
      if (isPassing(error)) {
        entry.isStale = true;
        entry.mayReadAt = elapsed() + retryMs;
      }
    }
    const costMs = Math.max(leastCostMs, 4 * (elapsed() - startedAt));
    entry.paidUntil = Math.min(Math.max(entry.paidUntil, startedAt) + costMs, elapsed() + longestPauseMs + creditMs);
    entry.mayReadAt = Math.max(entry.mayReadAt, entry.paidUntil - creditMs);
    entry.isReading = false;
    for (const watcher of entry.watchers) watcher();
    if (!isSettling && settles.has(entry.question.name)) settle(entry, ++entry.turn);
    schedule(entry); // what became stale meanwhile
  }

  function settle(entry: Entry, turn: number): void {
    for (const ms of settleMs)
      later(ms, () => {
        if (entry.turn !== turn || entry.isStale || entry.isReading || entry.watchers.size === 0) return;
        if (connection === "live") void reread(entry, true);
      });
  }

  function onEvents(events: readonly LogEvent[]): void {
    const fresh = events.filter(({ sequence }) => sequence > cursor);
    if (fresh.length === 0) return;
    cursor = fresh.at(-1)!.sequence;
    for (const entry of entries.values()) {
      if (entry.isStale && entry.isScheduled) continue;
      if (!fresh.some((event) => isConcerned(entry.question, event))) continue;
      entry.isStale = true;
      schedule(entry);
    }
    for (const watcher of eventWatchers) watcher(fresh);
  }

  function signOut(): void {
    stream?.close();
    stream = undefined;
    become("signed-out");
  }

  function refreshAll(): void {
    for (const entry of entries.values()) {
      entry.isStale = true;
      schedule(entry);
    }
  }

  /** From the cursor where the last stream ended; without one from the newest event, with everything read again. */
  function follow(): void {
    stream?.close();
    stream = openStream(cursor, {
      onOpen() {
        become("live");
        refreshAll(); // renewals are not events, and a daemon that was away may have changed what time alone changes
      },
      onEvents,
      onLost(why) {
        if (isSignedOut(why)) return signOut();
        become("reconnecting");
        const isOvertaken = why instanceof DomainError && why.code === "events.truncated";
        later(retryMs, () => (isOvertaken ? void connect() : follow()));
      },
    });
  }

  async function connect(): Promise<void> {
    try {
      cursor = (await signIn()).cursor;
      if (connection === "signed-out") become("connecting");
      follow();
    } catch (error) {
      if (isSignedOut(error)) return signOut();
      become("reconnecting");
      later(retryMs, () => void connect());
    }
  }

  return {
    connect,
    refreshAll,
    connection: (): Connection => connection,
    cursor: (): number => cursor,
    answer: <Name extends OperationName>(question: AskedQuestion & { readonly name: Name }): Answer<OutputOf<Name>> =>
      entryOf(question).answer as Answer<OutputOf<Name>>,
    /** Keeps an answer up to date until the returned function is called. */
    watch(question: AskedQuestion, onChange: () => void): () => void {
      const entry = entryOf(question);
      entry.watchers.add(onChange);
      schedule(entry);
      return () => {
        entry.watchers.delete(onChange);
        forgetUnwatched();
      };
    },
    watchConnection: (onChange: () => void): (() => void) => addTo(connectionWatchers, onChange),
    watchEvents: (onEvents: (events: readonly LogEvent[]) => void): (() => void) => addTo(eventWatchers, onEvents),
  };
}

function addTo<T>(set: Set<T>, value: T): () => void {
  set.add(value);
  return () => void set.delete(value);
}

function keyOf({ name, input, project }: AskedQuestion): string {
  return `${name} ${project ?? ""} ${JSON.stringify(input)}`;
}

function isSignedOut(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "token.missing" || error.code === "token.unknown");
}

/** Worth asking again: the daemon was away or too busy. */
function isPassing(error: unknown): boolean {
  return !(error instanceof DomainError) || error.family === "unavailable" || error.family === "exhausted";
}
