/**
 * The runner executes the scheduler's decisions, each after the journal has recorded it.
 *
 *   change (attempt ended, timer, request, pause) -> decide -> record -> listeners, dispatch, wake, finish
 *                                                      `-> abort at once, before it is recorded
 *
 * Each change is decided at once. While one batch is being recorded, the next one collects entries, so a slow journal gets
 * fewer and larger writes. If the journal fails, the run stops and its promise rejects with that error.
 * Invariant: after a crash the records contain every started attempt; at most its end is missing.
 */
import type { Timer } from "../../platform/clock/index.ts";
import { createAttempts } from "./attempts.ts";
import type { DagOutcome, RunOutcome } from "./dag.ts";
import { DagRefusal } from "./dag-refusal.ts";
import { InvalidDag } from "./dag-problems.ts";
import type { DagEvent, DagRun, JournalEntry, RunDagOptions } from "./dag-run.ts";
import { planOf, statusOf } from "./dag-status.ts";
import type { Action, Change, RequestChange } from "./decision.ts";
import { inputOf } from "./dispatch-context.ts";
import { indexGraph } from "../../platform/dependencies/index.ts";
import { createListeners } from "./listeners.ts";
import { recordsOf, runningAt } from "./move-node.ts";
import { createSchedule } from "./create-schedule.ts";
import { type Moment, nodeAt } from "./schedule.ts";
import { decide } from "./scheduler.ts";
import { dagProblems } from "./validate-dag.ts";

export async function runDag(options: RunDagOptions): Promise<DagOutcome> {
  return startDag(options).finished;
}

/** Throws InvalidDag, RestoreMismatch or (for `retry`) DagRefusal before anything runs. */
export function startDag(options: RunDagOptions): DagRun {
  const { dag, id = "", session = {}, abortGraceMs = 5_000, roles, restored, took, version } = options;
  const { journal, dispatch, clock, random, signal } = options;
  const index = indexGraph(dag.nodes);
  const problems = dagProblems(dag, index, roles);
  if (problems.length > 0) throw new InvalidDag(problems);
  const schedule = createSchedule(dag, { restored, took, roles, version, random, index });
  const attempts = createAttempts({ dispatch, clock, abortGraceMs, report: take });
  const listeners = createListeners<DagEvent>(options.onSubscriberError);
  const { promise: finished, resolve, reject } = Promise.withResolvers<DagOutcome>();
  let decided = emptyBatch();
  let recording: Batch | undefined;
  let over = false;
  let wake: Timer | undefined;

  function take(change: Change): void {
    if (over) return;
    try {
      accept(change);
    } catch (error) {
      breakOff(error);
    }
  }

  /** A refused request has changed nothing. Any other error is a bug. */
  async function request(change: RequestChange): Promise<void> {
    if (over || schedule.finished)
      throw new DagRefusal("run-ended", "the run has ended; retry one of its nodes, or start a new run");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    try {
      accept(change, { resolve, reject });
    } catch (error) {
      if (error instanceof DagRefusal || error instanceof InvalidDag) throw error;
      breakOff(error);
      throw error;
    }
    return promise;
  }

  function accept(change: Change, asker?: Asker): void {
    const { adjusted, transitions, actions } = decide(schedule, change, now());
    if (adjusted) decided.entries.push({ kind: "adjusted", ...adjusted });
    for (const transition of transitions) decided.entries.push({ kind: "transition", transition });
    for (const action of actions) decided.actions.push(action);
    if (asker) decided.askers.push(asker);
    actions.forEach(abortAtOnce);
    if (!recording) void record();
  }

  function now(): Moment {
    return { wall: clock.now(), monotonic: clock.monotonic() };
  }

  function abortAtOnce(action: Action): void {
    if (action.type !== "abort" || attempts.abort(action.node, action.reason)) return;
    // Decided but not yet recorded, so the attempt never started and has nothing to stop.
    const error = { class: "transient", message: "it was stopped before it started" } as const;
    take({ type: "attempt-failed", node: action.node, attempt: action.attempt, error });
  }

  async function record(): Promise<void> {
    try {
      while (!over && decided.entries.length + decided.actions.length + decided.askers.length > 0) {
        recording = decided;
        decided = emptyBatch();
        if (recording.entries.length > 0) await journal.record(recording.entries);
        if (over) return;
        if (!listeners.none()) recording.entries.forEach(tell);
        recording.askers.forEach(({ resolve }) => resolve());
        recording.askers.length = 0;
        recording.actions.forEach(carryOut);
      }
    } catch (error) {
      breakOff(error);
    } finally {
      recording = undefined;
    }
  }

  function tell(entry: JournalEntry): void {
    if (entry.kind === "transition") listeners.tell({ dag: id, ...entry.transition });
  }

  function carryOut(action: Action): void {
    if (action.type === "dispatch") {
      const { attempt, timeoutMs } = action;
      const at = runningAt(schedule, action.node, attempt);
      if (at === undefined) return; // stopped while it was being recorded
      attempts.start({ node: nodeAt(schedule, at), attempt, timeoutMs, input: inputOf(schedule, at, session) });
    } else if (action.type === "wake") {
      wake?.cancel();
      wake = clock.after(action.at - clock.monotonic(), () => take({ type: "woken" }), { keepAlive: true });
    } else if (action.type === "finish") {
      finish(action.outcome);
    }
  }

  function finish(outcome: RunOutcome): void {
    close();
    resolve({ outcome, nodes: recordsOf(schedule) });
  }

  /** Waits until running attempts have stopped: a restored run must not overlap with its former attempts. */
  function breakOff(reason: unknown): void {
    if (over) return;
    for (const { reject } of [...(recording?.askers ?? []), ...decided.askers]) reject(reason);
    close();
    void attempts.abortAll("the run broke off").then(() => reject(reason));
  }

  function close(): void {
    over = true;
    wake?.cancel();
    signal.removeEventListener("abort", onAbort);
  }

  function onAbort(): void {
    take({ type: "cancel-requested" });
  }

  if (options.paused) take({ type: "paused", running: "finish" });
  if (signal.aborted) {
    onAbort();
    accept({ type: "started" }); // for the final nodes
  } else {
    accept({ type: "started", ...(options.retry ? { retry: options.retry } : {}) });
    signal.addEventListener("abort", onAbort);
  }
  return {
    finished,
    pause: (running) => take({ type: "paused", running }),
    unpause: () => take({ type: "unpaused" }),
    cancel: (reason) => take({ type: "cancel-requested", ...(reason === undefined ? {} : { reason }) }),
    status: () => statusOf(schedule, now()),
    plan: () => planOf(schedule),
    subscribe: listeners.add,
    retry: (node) => request({ type: "retry-requested", node }),
    skip: (node, reason, { treatAsDone = false } = {}) =>
      request({ type: "skip-requested", node, reason, treatAsDone }),
    unblock: (node, answer = true) => request({ type: "unblock-requested", node, answer }),
    async adjust(adjustment, { expectedVersion }) {
      await request({ type: "adjust-requested", adjustment, expectedVersion });
      return expectedVersion + 1;
    },
  };
}

type Asker = { readonly resolve: () => void; readonly reject: (reason: unknown) => void };
type Batch = { readonly entries: JournalEntry[]; readonly actions: Action[]; readonly askers: Asker[] };

function emptyBatch(): Batch {
  return { entries: [], actions: [], askers: [] };
}
