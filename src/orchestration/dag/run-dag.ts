/**
 * The runner: carries out what the scheduler decides, and nothing before the journal has it.
 *
 *   change (attempt ended, timer, signal, pause) -> decide -> record -> subscriber, dispatch, wake, finish
 *                                                     `-> abort at once: a stop needs no permission
 *
 * Changes are decided the moment they come; while one batch is being recorded the next one gathers, so a slow journal
 * gets fewer and larger writes. A journal that fails stops the run: its promise rejects with that error.
 * Invariant: after a crash the records hold every attempt that was started; at most its end is missing.
 */
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { createAttempts, type Dispatch } from "./attempts.ts";
import type { Dag, DagOutcome, NodeRecord, NodeTransition, RunOutcome } from "./dag.ts";
import { createSchedule, nodeAt, parentResults, recordsOf, runningAt } from "./schedule.ts";
import { type Action, type Change, decide } from "./scheduler.ts";
import { InvalidDag, validateDag } from "./validate-dag.ts";

export type Journal = {
  /** Resolves once they are safe. In order; a batch may be cut anywhere by a crash. */
  record(transitions: readonly NodeTransition[]): Promise<void>;
};

export type RunDagOptions = {
  readonly dag: Dag;
  /** What an earlier life of this run recorded: the last transition of each node, through `recordAfter`. */
  readonly restored?: ReadonlyMap<string, NodeRecord>;
  /** Known roles; with them a node of an unknown role is refused before anything runs. */
  readonly roles?: ReadonlySet<string>;
  readonly journal: Journal;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Hears each transition once it is recorded. What it throws goes to `onSubscriberError`, and the run goes on. */
  readonly onTransition?: (transition: NodeTransition) => void | Promise<void>;
  readonly onSubscriberError?: (error: unknown) => void;
  /** Cancels the run for good. */
  readonly signal: AbortSignal;
  /** How long an attempt may take to stop. */
  readonly abortGraceMs?: number;
};

export type DagRun = {
  /** Rejects only when the journal failed, or by a defect. */
  readonly finished: Promise<DagOutcome>;
  /** Starts nothing more. With "abort" what runs is stopped and, unless it got done, runs again after `unpause`. */
  pause(running: "finish" | "abort"): void;
  unpause(): void;
};

export async function runDag(options: RunDagOptions): Promise<DagOutcome> {
  return startDag(options).finished;
}

/** Throws InvalidDag or RestoreMismatch before anything runs. */
export function startDag({ abortGraceMs = 5_000, ...options }: RunDagOptions): DagRun {
  const { dag, roles, restored, journal, dispatch, clock, random, signal } = options;
  const validation = validateDag(dag, roles ? { roles } : {});
  if (!validation.valid) throw new InvalidDag(validation.problems);
  const schedule = createSchedule(dag, { restored, random });
  const attempts = createAttempts({ dispatch, clock, abortGraceMs, report: take });
  const notify = subscriberOf(options);
  const { promise: finished, resolve, reject } = Promise.withResolvers<DagOutcome>();
  let decided: Batch = { transitions: [], actions: [] };
  let recording = false;
  let over = false;
  let wake: Timer | undefined;

  function take(change: Change): void {
    if (over) return;
    try {
      const { transitions, actions } = decide(schedule, change, { wall: clock.now(), monotonic: clock.monotonic() });
      for (const transition of transitions) decided.transitions.push(transition);
      for (const action of actions) decided.actions.push(action);
      actions.forEach(abortAtOnce);
      if (!recording) void record();
    } catch (error) {
      breakOff(error);
    }
  }

  function abortAtOnce(action: Action): void {
    if (action.type !== "abort" || attempts.abort(action.node, action.reason)) return;
    // Decided but not yet recorded, so it never started: it has stopped already.
    const error = { class: "transient", message: "it was stopped before it started" } as const;
    take({ type: "attempt-failed", node: action.node, attempt: action.attempt, error });
  }

  async function record(): Promise<void> {
    recording = true;
    try {
      while (!over && (decided.transitions.length > 0 || decided.actions.length > 0)) {
        const batch = decided;
        decided = { transitions: [], actions: [] };
        if (batch.transitions.length > 0) await journal.record(batch.transitions);
        if (over) return;
        batch.transitions.forEach(notify);
        batch.actions.forEach(carryOut);
      }
    } catch (error) {
      breakOff(error);
    } finally {
      recording = false;
    }
  }

  function carryOut(action: Action): void {
    if (action.type === "dispatch") {
      const { attempt, timeoutMs } = action;
      const index = runningAt(schedule, action.node, attempt);
      if (index === undefined) return; // stopped while it was being recorded
      const node = nodeAt(schedule, index);
      attempts.start({ node, attempt, timeoutMs, parents: parentResults(schedule, node) });
    } else if (action.type === "wake") {
      wake?.cancel();
      const due = () => take({ type: "retry-due" });
      wake = clock.after(action.at - clock.monotonic(), due, { keepAlive: true });
    } else if (action.type === "finish") {
      finish(action.outcome);
    }
  }

  function finish(outcome: RunOutcome): void {
    close();
    resolve({ outcome, nodes: recordsOf(schedule) });
  }

  /** Waits for what runs to stop: who restores the run must not meet its own former attempts. */
  function breakOff(reason: unknown): void {
    if (over) return;
    close();
    void attempts.abortAll("the run broke off").then(() => reject(reason));
  }

  function close(): void {
    over = true;
    wake?.cancel();
    signal.removeEventListener("abort", cancel);
  }

  function cancel(): void {
    take({ type: "cancel-requested" });
  }

  if (signal.aborted) cancel();
  else {
    signal.addEventListener("abort", cancel);
    take({ type: "started" });
  }
  return {
    finished,
    pause: (running) => take({ type: "paused", running }),
    unpause: () => take({ type: "unpaused" }),
  };
}

type Batch = { readonly transitions: NodeTransition[]; readonly actions: Action[] };

function subscriberOf({ onTransition, onSubscriberError }: RunDagOptions): (transition: NodeTransition) => void {
  const report = (error: unknown): void => {
    try {
      onSubscriberError?.(error);
    } catch {
      // Nobody is left to tell, and a run outlives its audience.
    }
  };
  return (transition) => {
    try {
      const pending = onTransition?.(transition);
      if (pending instanceof Promise) pending.catch(report);
    } catch (error) {
      report(error);
    }
  };
}
