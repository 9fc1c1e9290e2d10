/**
 * The line of those who wait for paths: first come, first served, in this daemon's memory (a waiter is an open request; it
 * does not outlive the daemon).
 *
 *   join -> woken by each end of a hold that it could have waited for, or by its own timer -> looks again -> leave
 *
 * An agent that asks for a path that an earlier one waits for has to wait behind it, also while the path is free for a moment.
 */
import type { AgentId, LogEvent, Reservation } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { overlap } from "../globs/index.ts";
import { compileStored, type CoveredPaths } from "./covered-paths.ts";
import { couldBlock, type Claimant } from "./rivals.ts";

export type Waiter = Claimant & { readonly covered: CoveredPaths };

export type LinePlace = {
  readonly joinedAt: number;
  /** The first one before it that wants the same path. */
  ahead(): Waiter | undefined;
  /** Resolves when it is worth looking again: something ended, the time has passed, or the request was given up. */
  woken(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  leave(): void;
};

export type WaitLine = {
  join(waiter: Waiter): LinePlace;
  /** The agent that a newcomer would have to wait behind. */
  aheadOf(newcomer: Waiter): Waiter | undefined;
  /** For callers that only want to know: resolves when a hold on these paths has ended, or the time has passed. */
  noticed(covered: CoveredPaths, withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** Those who wait now, the first first. */
  waiting(): readonly { readonly waiter: Waiter; readonly since: number }[];
  readonly length: number;
};

type Entry = { readonly waiter: Waiter; readonly since: number; wake: () => void };
type Watcher = { readonly covered: CoveredPaths; readonly wake: () => void };

export function createWaitLine({ bus, clock }: { readonly bus: Bus<LogEvent>; readonly clock: Clock }): WaitLine {
  const line: Entry[] = [];
  const watchers = new Set<Watcher>();

  function ends({ data }: LogEvent): void {
    const ended = compileStored((data as { reservation: Reservation }).reservation);
    for (const entry of line) if (meet(ended, entry.waiter.covered)) entry.wake();
    for (const watcher of watchers) if (meet(ended, watcher.covered)) watcher.wake();
  }
  function gone({ data }: LogEvent): void {
    const { id } = (data as { agent: { id: AgentId } }).agent;
    for (const entry of line) if (entry.waiter.agent.id === id) entry.wake();
  }
  const subjects = {
    "reservation.released": ends,
    "reservation.expired": ends,
    "agent.ended": gone,
    "agent.offline": gone,
  };
  let unsubscribe: readonly (() => void)[] = [];
  /** Without a waiting agent nothing listens. */
  function listen(): void {
    const wanted = line.length + watchers.size > 0;
    if (wanted === unsubscribe.length > 0) return;
    for (const stop of unsubscribe) stop();
    unsubscribe = wanted
      ? Object.entries(subjects).map(([type, listener]) => bus.subscribe(`event.${type}`, listener))
      : [];
  }

  const firstBefore = (end: number, waiter: Waiter): Waiter | undefined =>
    line.slice(0, end).find((entry) => wantsSame(entry.waiter, waiter))?.waiter;

  return {
    get length() {
      return line.length;
    },
    async noticed(covered, withinMs, signal) {
      let watcher: Watcher | undefined;
      await patience(clock, withinMs, signal, (wake) => {
        watchers.add((watcher = { covered, wake }));
        listen();
      });
      watchers.delete(watcher!);
      listen();
    },
    waiting: () => line.map(({ waiter, since }) => ({ waiter, since })),
    aheadOf: (newcomer) => firstBefore(line.length, newcomer),
    join(waiter) {
      const entry: Entry = { waiter, since: clock.now(), wake: () => {} };
      line.push(entry);
      listen();
      return {
        joinedAt: clock.monotonic(),
        ahead: () => firstBefore(line.indexOf(entry), waiter),
        async woken(withinMs, signal) {
          await patience(clock, withinMs, signal, (wake) => (entry.wake = wake));
          entry.wake = () => {};
        },
        leave() {
          line.splice(line.indexOf(entry), 1);
          listen();
          for (const { waiter: behind, wake } of line) if (wantsSame(waiter, behind)) wake();
        },
      };
    },
  };
}

/** Resolves when it is woken, when the time has passed, or when the caller no longer wants the answer. */
function patience(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  expose: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(Math.max(1, ms), done, { keepAlive: true });
    function done(): void {
      timer.cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
    expose(done);
  });
}

function wantsSame(one: Waiter, other: Waiter): boolean {
  return couldBlock({ ...one, holder: one.agent }, other) && meet(one.covered, other.covered);
}

function meet(one: CoveredPaths, other: CoveredPaths): boolean {
  return one.some((path) => other.some((wanted) => overlap(path, wanted) !== undefined));
}
