/** The input of the scheduler (changes) and its output (transitions to record, then actions to execute). */
import type { Adjustment, BlockRequest, NodeError, NodeTransition, RunOutcome } from "./dag.ts";
import type { StopReason } from "./schedule.ts";

type OfAttempt = { readonly node: string; readonly attempt: number };

export type AttemptChange =
  | (OfAttempt & { readonly type: "attempt-succeeded"; readonly result: unknown; readonly adjustment?: Adjustment })
  | (OfAttempt & { readonly type: "attempt-failed"; readonly error: NodeError })
  | (OfAttempt & { readonly type: "attempt-blocked"; readonly request: BlockRequest; readonly beforeStart?: boolean })
  /** Its dispatcher broke down. Nothing of the attempt runs any more. */
  | (OfAttempt & { readonly type: "attempt-interrupted"; readonly message: string })
  | (OfAttempt & { readonly type: "attempt-timed-out" })
  /** It did not stop within the grace period, and may still run. */
  | (OfAttempt & { readonly type: "attempt-abandoned" });

/** Requests of users and agents. A refused request throws DagRefusal or InvalidDag and changes nothing. */
export type RequestChange =
  | { readonly type: "retry-requested"; readonly node: string }
  | {
      readonly type: "skip-requested";
      readonly node: string;
      readonly reason: string;
      /** Its dependents run without its result. */
      readonly treatAsDone: boolean;
    }
  | { readonly type: "unblock-requested"; readonly node: string; readonly answer: unknown }
  | { readonly type: "adjust-requested"; readonly adjustment: Adjustment; readonly expectedVersion: number };

export type Change =
  /** The run begins, or continues from its records. `retry` reopens a run that had ended. */
  | { readonly type: "started"; readonly retry?: readonly string[] }
  | AttemptChange
  | RequestChange
  /** The time of the latest wake has come. */
  | { readonly type: "woken" }
  /** Starts no further node. Running nodes finish, or stop and run again later. */
  | { readonly type: "paused"; readonly running: "finish" | "abort" }
  | { readonly type: "unpaused" }
  | { readonly type: "cancel-requested"; readonly reason?: string };

export type Action =
  | (OfAttempt & { readonly type: "dispatch"; readonly timeoutMs: number })
  | (OfAttempt & { readonly type: "abort"; readonly reason: StopReason })
  /** Monotonic time. Replaces the previous wake. */
  | { readonly type: "wake"; readonly at: number }
  | { readonly type: "finish"; readonly outcome: RunOutcome };

export type Decision = {
  /** Recorded before the transitions, which may concern its nodes. */
  readonly adjusted?: AdjustedDag;
  readonly transitions: readonly NodeTransition[];
  readonly actions: readonly Action[];
};

export type AdjustedDag = {
  readonly version: number;
  readonly adjustment: Adjustment;
  /** The node whose success included it. That success is a transition of the same decision. */
  readonly by?: string;
};
