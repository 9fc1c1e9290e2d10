/** What the scheduler is told (changes) and what it answers (transitions to record, then actions to carry out). */
import type { Adjustment, BlockRequest, NodeError, NodeTransition, RunOutcome } from "./dag.ts";
import type { StopReason } from "./schedule.ts";

type OfAttempt = { readonly node: string; readonly attempt: number };

export type AttemptChange =
  | (OfAttempt & { readonly type: "attempt-succeeded"; readonly result: unknown; readonly adjustment?: Adjustment })
  | (OfAttempt & { readonly type: "attempt-failed"; readonly error: NodeError })
  | (OfAttempt & { readonly type: "attempt-blocked"; readonly request: BlockRequest; readonly beforeStart?: boolean })
  | (OfAttempt & { readonly type: "attempt-timed-out" })
  /** Told to stop, it did not within its grace. It may still be at work. */
  | (OfAttempt & { readonly type: "attempt-abandoned" });

/** What people ask for; what cannot be done is refused by a DagRefusal or an InvalidDag, and nothing has changed. */
export type RequestChange =
  | { readonly type: "retry-requested"; readonly node: string }
  | {
      readonly type: "skip-requested";
      readonly node: string;
      readonly reason: string;
      /** What depends on it goes on without its result. */
      readonly treatAsDone: boolean;
    }
  | { readonly type: "unblock-requested"; readonly node: string; readonly answer: unknown }
  | { readonly type: "adjust-requested"; readonly adjustment: Adjustment; readonly expectedVersion: number };

export type Change =
  /** The run begins or goes on from its records; with `retry` one that had ended is taken up again. */
  | { readonly type: "started"; readonly retry?: readonly string[] }
  | AttemptChange
  | RequestChange
  /** The time of the latest wake has come. */
  | { readonly type: "woken" }
  /** Starts nothing more; what runs may finish, or is stopped and done again later. */
  | { readonly type: "paused"; readonly running: "finish" | "abort" }
  | { readonly type: "unpaused" }
  | { readonly type: "cancel-requested"; readonly reason?: string };

export type Action =
  | (OfAttempt & { readonly type: "dispatch"; readonly timeoutMs: number })
  | (OfAttempt & { readonly type: "abort"; readonly reason: StopReason })
  /** Monotonic time; replaces the wake before it. */
  | { readonly type: "wake"; readonly at: number }
  | { readonly type: "finish"; readonly outcome: RunOutcome };

export type Decision = {
  /** To be recorded before the transitions, which may be about its nodes. */
  readonly adjusted?: AdjustedDag;
  readonly transitions: readonly NodeTransition[];
  readonly actions: readonly Action[];
};

export type AdjustedDag = {
  readonly version: number;
  readonly adjustment: Adjustment;
  /** The node whose success brought it; its success is among the transitions of the same decision. */
  readonly by?: string;
};
