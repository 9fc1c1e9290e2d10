/**
 * The pool: runs jobs as the fair queue decides, and keeps count.
 *
 *   submit -> room in the queue? -> waits -> a free slot takes it -> runs -> settles -> the slot takes the next
 *
 * A job's time limit begins when it starts: time in the queue never counts as run time.
 * A job over its limit, or stopped by its owner, is told so; one that does not end within the grace no longer holds a slot,
 * and is counted as abandoned.
 * Invariant: a submitted job settles exactly once, however its work behaves.
 */
import { DomainError } from "../../contract/index.ts";
import type { Clock, Timer } from "../clock/index.ts";
import { adaptLimit, type AdaptiveTerms } from "./adapt-limit.ts";
import { createFairQueue, type FairQueueOptions, type Job } from "./fair-queue.ts";
import { type Lane, lanes } from "./lanes.ts";
import { createTallies, type GroupTally, type PoolMetrics, timesOf } from "./pool-metrics.ts";

export type Work<Result> = Job & {
  readonly run: (signal: AbortSignal) => Promise<Result>;
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
};

export interface Pool {
  submit<Result>(work: Work<Result>): Promise<Result>;
  /** Share of a group against others while all of them have waiting jobs; 1 unless set. */
  setWeight(group: string, weight: number): void;
  /** Refuses what waits, stops what runs, and forgets the group's figures and weight. */
  closeGroup(group: string): void;
  metrics(): PoolMetrics;
  /** Ends the measuring of load, refuses what waits and stops what runs. */
  close(): void;
}

export type PoolOptions = Omit<FairQueueOptions, "ageingMs"> & {
  readonly clock: Clock;
  readonly ageingMs?: number;
  readonly queue?: { readonly all: number; readonly perGroup: number };
  /** One entry per slot that looks at a lane of its own first; the other slots serve all lanes alike. */
  readonly boundSlots?: readonly Lane[];
  readonly adaptive?: AdaptiveTerms & { readonly everyMs: number; readonly load: () => number };
  readonly graceMs?: number;
};

/** The job ran longer than it may; waiting did not count. */
export class TimeLimitPassed extends Error {
  override readonly name = "TimeLimitPassed";
}

type Entry = Job & {
  readonly tally: GroupTally;
  readonly start: (slot: Slot) => void;
  readonly stop: (reason: Error) => void;
};
type Slot = { readonly bound: Lane | undefined; busy: boolean };

export function createPool(options: PoolOptions): Pool {
  const { clock, ageingMs = 5_000, queue: room = { all: 1_000, perGroup: 100 }, graceMs = 5_000, adaptive } = options;
  const queue = createFairQueue<Entry>({ ...options, ageingMs });
  const tallies = createTallies();
  const entries = new Set<Entry>();
  const boundSlots: Slot[] = (options.boundSlots ?? []).map((bound) => ({ bound, busy: false }));
  let measuring: Timer | undefined;
  let isClosed = false;

  const freeSlot = (): Slot => boundSlots.find(({ busy }) => !busy) ?? { bound: undefined, busy: false };

  function fillSlots(): void {
    for (;;) {
      const slot = freeSlot();
      const next = queue.take(clock.monotonic(), slot.bound);
      if (!next) return;
      slot.busy = true;
      next.job.tally.started++;
      next.job.tally.wait.record(next.waitedMs);
      tallies.waitByLane[next.job.lane].record(next.waitedMs);
      next.job.start(slot);
    }
  }

  function refuseWithoutRoom({ group }: Job): void {
    if (isClosed) throw new Error("the pool is closed and takes no more jobs");
    const ofGroup = queue.depth({ group });
    const full = queue.waiting >= room.all ? { limit: room.all, used: queue.waiting } : undefined;
    const groupFull = ofGroup >= room.perGroup ? { limit: room.perGroup, used: ofGroup } : undefined;
    const problem = full ?? groupFull;
    if (!problem) return;
    tallies.refused++;
    throw new DomainError(
      "pool.full",
      `${problem.used} jobs ${full ? "" : `of ${group} `}wait already; let some finish and try again`,
      { details: { group, ...problem }, retryAfterMs: Math.max(100, Math.round(timesOf(tallies.run).meanMs)) },
    );
  }

  async function submit<Result>(work: Work<Result>): Promise<Result> {
    work.signal?.throwIfAborted();
    refuseWithoutRoom(work);
    return new Promise<Result>((resolve, reject) => {
      const entry = entryFor(work, resolve, reject);
      entries.add(entry);
      entry.tally.submitted++;
      queue.add(entry, clock.monotonic());
      fillSlots();
    });
  }

  function entryFor<Result>(
    work: Work<Result>,
    resolve: (result: Result) => void,
    reject: (reason: Error) => void,
  ): Entry {
    const { group, kind, lane, signal } = work;
    // Kept, so that what ends after its group was closed does not bring the group's figures back.
    const tally = tallies.of(group);
    const stopper = new AbortController();
    const stop = (reason: Error): void => {
      stopper.abort(reason);
      if (!queue.remove(entry)) return;
      forget();
      tally.failed++;
      reject(reason);
    };
    const leave = (): void => stop(asError(signal?.reason));
    const forget = (): void => {
      entries.delete(entry);
      signal?.removeEventListener("abort", leave);
    };
    const start = (slot: Slot): void => {
      void runInSlot(work, stopper, () => release(slot)).then(
        (result) => {
          tally.finished++;
          resolve(result);
        },
        (error: unknown) => {
          tally.failed++;
          reject(asError(error));
        },
      );
    };
    const release = (slot: Slot): void => {
      forget();
      slot.busy = false;
      queue.finish(entry);
      if (tallies.groups.get(group) !== tally) queue.forget(group);
      fillSlots();
    };
    const entry: Entry = { group, kind, lane, tally, start, stop };
    signal?.addEventListener("abort", leave, { once: true });
    return entry;
  }

  /** Settles by the work or by its time limit; gives the slot back once, when the work ends or its grace is over. */
  function runInSlot<Result>(work: Work<Result>, stopper: AbortController, giveBack: () => void): Promise<Result> {
    const startedAt = clock.monotonic();
    let timer: Timer | undefined;
    let isHeld = true;
    const leaveSlot = (): void => {
      timer?.cancel();
      if (!isHeld) return;
      isHeld = false;
      tallies.run.record(clock.monotonic() - startedAt);
      giveBack();
    };
    return new Promise<Result>((resolve, reject) => {
      const waitOutGrace = (): void => {
        timer?.cancel();
        timer = clock.after(graceMs, () => {
          tallies.abandoned++;
          reject(asError(stopper.signal.reason));
          leaveSlot();
        });
      };
      stopper.signal.addEventListener("abort", waitOutGrace, { once: true });
      if (work.timeLimitMs !== undefined)
        timer = clock.after(work.timeLimitMs, () => {
          const reason = new TimeLimitPassed(`a job of ${work.group} ran longer than ${work.timeLimitMs} ms`);
          reject(reason);
          stopper.abort(reason);
        });
      new Promise<Result>((settle) => settle(work.run(stopper.signal))).then(resolve, reject).finally(leaveSlot);
    });
  }

  function measure({ everyMs, load, ...terms }: NonNullable<PoolOptions["adaptive"]>): void {
    measuring = clock.after(everyMs, () => {
      queue.setLimit(adaptLimit(queue.limit, load(), queue.waiting > 0, terms));
      fillSlots();
      measure({ everyMs, load, ...terms });
    });
  }
  if (adaptive) measure(adaptive);

  return {
    submit,
    setWeight: queue.setWeight,
    closeGroup(group) {
      for (const entry of entries) if (entry.group === group) entry.stop(new Error(`${group} was closed`));
      tallies.groups.delete(group);
      queue.forget(group);
    },
    metrics: () => ({
      limit: queue.limit,
      running: queue.running,
      waiting: queue.waiting,
      abandoned: tallies.abandoned,
      refused: tallies.refused,
      groups: Object.fromEntries(
        [...tallies.groups].map(([group, { wait, ...counts }]) => [
          group,
          { ...counts, waiting: queue.depth({ group }), running: queue.runningOf(group), wait: timesOf(wait) },
        ]),
      ),
      lanes: Object.fromEntries(
        lanes.map((lane) => [lane, { waiting: queue.depth({ lane }), wait: timesOf(tallies.waitByLane[lane]) }]),
      ) as PoolMetrics["lanes"],
      run: { ...timesOf(tallies.run), buckets: tallies.run.buckets() },
    }),
    close() {
      isClosed = true;
      measuring?.cancel();
      for (const entry of entries) entry.stop(new Error("the pool was closed"));
    },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("the job was stopped", { cause: reason });
}
