/**
 * A clock moved by hand, so that a test of a 30-minute lease takes no time and never flakes.
 *
 *   advance(ms) -> steps from deadline to deadline, firing each timer at its own time -> the target
 *   jumpWall(ms) -> the wall clock alone, as after a correction by NTP
 *
 * Invariant: while a timer runs, `monotonic()` reads its deadline, so a timer that it schedules
 * lands where it would in real life.
 */
import { checkedDelay, type Clock, type Timer } from "./clock.ts";

export interface ManualClock extends Clock {
  /** Moves both times forward and fires what comes due, in deadline order, then in order of creation. */
  advance(ms: number): void;
  /** Moves the wall time only, either way. Fires nothing. */
  jumpWall(ms: number): void;
  /** How many timers still wait: lets a test see that nothing was left behind. */
  pendingTimers(): number;
  /** How long until the next timer is due; undefined when none waits. Lets a simulation step from one to the next. */
  nextTimerInMs(): number | undefined;
}

export interface ManualClockStart {
  readonly wall?: number;
  readonly monotonic?: number;
}

type Pending = { readonly deadline: number; readonly fn: () => void };

/** A timer that re-arms itself with no delay would hang a synchronous test beyond any timeout. */
const MOST_FIRINGS_AT_ONE_MOMENT = 100_000;

/** The defaults differ by far, so code that mixes the two times up fails visibly. */
export function manualClock({ wall = 1_767_225_600_000, monotonic = 1_000 }: ManualClockStart = {}): ManualClock {
  let elapsed = monotonic;
  let wallOffset = wall - monotonic;
  const pending = new Set<Pending>();

  const fireDue = (target: number) => {
    let moment = elapsed;
    let firings = 0;
    for (let next = soonest(pending); next && next.deadline <= target; next = soonest(pending)) {
      pending.delete(next);
      elapsed = Math.max(elapsed, next.deadline);
      firings = elapsed === moment ? firings + 1 : 1;
      moment = elapsed;
      if (firings > MOST_FIRINGS_AT_ONE_MOMENT) throw new Error("timers keep scheduling timers without delay");
      next.fn();
    }
  };

  return {
    now: () => Math.floor(elapsed + wallOffset),
    monotonic: () => Math.floor(elapsed),
    after(ms, fn): Timer {
      const timer = { deadline: elapsed + checkedDelay(ms), fn };
      pending.add(timer);
      return { cancel: () => void pending.delete(timer) };
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`a clock advances by 0 or more milliseconds, not ${ms}`);
      const target = elapsed + ms;
      fireDue(target);
      elapsed = Math.max(elapsed, target);
    },
    jumpWall(ms) {
      wallOffset += ms;
    },
    pendingTimers: () => pending.size,
    nextTimerInMs() {
      const next = soonest(pending);
      return next && Math.max(0, next.deadline - elapsed);
    },
  };
}

/** A Set keeps order of creation, so the strict comparison breaks ties in favour of the older timer. */
function soonest(pending: ReadonlySet<Pending>): Pending | undefined {
  let first: Pending | undefined;
  for (const timer of pending) if (!first || timer.deadline < first.deadline) first = timer;
  return first;
}
