/**
 * A circuit breaker: an agent that fails again and again is not asked for a while.
 *
 *   closed -- 5 failures in a row --> open -- 30 s --> half-open -- 2 successes --> closed
 *                                      ^-------------- a failure -------┘   (3 trials at a time)
 */
import type { Clock } from "../../../platform/clock/index.ts";

export type CircuitState = "closed" | "open" | "half-open";

export interface CircuitBreaker {
  /** False: do not call. True is followed by exactly one of the three below. */
  enter(): boolean;
  succeeded(): void;
  failed(): void;
  /** It says nothing about who was called: the caller gave up. */
  abandoned(): void;
  readonly state: CircuitState;
  /** Until it may be tried again; 0 when it may be now. */
  readonly retryAfterMs: number;
}

const circuitLimits = { failures: 5, openMs: 30_000, trials: 3, successes: 2 } as const;

export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let state: CircuitState = "closed";
  let failures = 0;
  let successes = 0;
  let trials = 0;
  let openUntil = 0;

  function open(): void {
    state = "open";
    openUntil = clock.monotonic() + circuitLimits.openMs;
    failures = 0;
  }
  function current(): CircuitState {
    if (state === "open" && clock.monotonic() >= openUntil) {
      state = "half-open";
      successes = 0;
      trials = 0;
    }
    return state;
  }
  const leave = (): void => void (trials = Math.max(0, trials - 1));

  return {
    enter() {
      const now = current();
      if (now === "open" || (now === "half-open" && trials >= circuitLimits.trials)) return false;
      trials++;
      return true;
    },
    succeeded() {
      leave();
      failures = 0;
      if (current() === "half-open" && ++successes >= circuitLimits.successes) state = "closed";
    },
    failed() {
      leave();
      if (current() === "half-open") open();
      else if (state === "closed" && ++failures >= circuitLimits.failures) open();
    },
    abandoned: leave,
    get state() {
      return current();
    },
    get retryAfterMs() {
      return current() === "open" ? openUntil - clock.monotonic() : 0;
    },
  };
}
