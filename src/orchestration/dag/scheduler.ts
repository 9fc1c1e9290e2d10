/**
 * The rules of a run, without any effect: what follows from one change.
 *
 *   decide(schedule, change, now) -> transitions to record, then actions to carry out
 *
 * A node starts as soon as its dependencies succeeded and a slot is free (D3), in order of the plan. `decide` changes
 * the schedule in place and does nothing else; time and chance come in, so equal histories give equal decisions.
 * Its cost follows what the change touches (the node, its dependents, log n for a queue), never the graph.
 * Invariant: at most maxConcurrency nodes are `running`, an attempt that was told to stop included.
 */
import { isTerminal, type NodeCause, type NodeError, type NodeTransition, type RunOutcome } from "./dag.ts";
import { isRetryable, restoredDelay, retryDelay } from "./retry-delay.ts";
import { at, type Facts, isComplete, move, nodeAt, runningAt, type Schedule, type StopReason } from "./schedule.ts";

type OfAttempt = { readonly node: string; readonly attempt: number };

export type Change =
  /** The run begins or goes on from its records. */
  | { readonly type: "started" }
  | (OfAttempt & { readonly type: "attempt-succeeded"; readonly result: unknown })
  | (OfAttempt & { readonly type: "attempt-failed"; readonly error: NodeError })
  | (OfAttempt & { readonly type: "attempt-timed-out" })
  /** Told to stop, it did not within its grace. It may still be at work. */
  | (OfAttempt & { readonly type: "attempt-abandoned" })
  | { readonly type: "retry-due" }
  /** Starts nothing more; what runs may finish, or is stopped and done again later. */
  | { readonly type: "paused"; readonly running: "finish" | "abort" }
  | { readonly type: "unpaused" }
  | { readonly type: "cancel-requested" };

export type Action =
  | (OfAttempt & { readonly type: "dispatch"; readonly timeoutMs: number })
  | (OfAttempt & { readonly type: "abort"; readonly reason: StopReason })
  /** Monotonic time; replaces the wake before it. */
  | { readonly type: "wake"; readonly at: number }
  | { readonly type: "finish"; readonly outcome: RunOutcome };

export type Moment = { readonly wall: number; readonly monotonic: number };

export type Decision = { readonly transitions: readonly NodeTransition[]; readonly actions: readonly Action[] };

type Turn = {
  readonly schedule: Schedule;
  readonly now: Moment;
  readonly transitions: NodeTransition[];
  readonly actions: Action[];
};

export function decide(schedule: Schedule, change: Change, now: Moment): Decision {
  const turn: Turn = { schedule, now, transitions: [], actions: [] };
  if (schedule.finished) return turn;
  take(turn, change);
  releaseDueRetries(turn);
  fillSlots(turn);
  announceWake(turn);
  finishWhenComplete(turn);
  return turn;
}

function take(turn: Turn, change: Change): void {
  const { schedule } = turn;
  switch (change.type) {
    case "started":
      return start(turn);
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-timed-out":
    case "attempt-abandoned":
      return takeAttempt(turn, change);
    case "retry-due":
      schedule.announcedWake = undefined;
      return;
    case "paused":
      schedule.paused = true;
      if (change.running === "abort") for (const index of schedule.running) stop(turn, index, "interrupt");
      return;
    case "unpaused":
      schedule.paused = false;
      return;
    case "cancel-requested":
      return end(turn, "cancel-requested");
  }
}

type AttemptChange = Extract<Change, OfAttempt>;

function takeAttempt(turn: Turn, change: AttemptChange): void {
  const { schedule } = turn;
  const index = runningAt(schedule, change.node, change.attempt);
  if (index === undefined) return;
  const stopped = schedule.stopping.get(index);
  switch (change.type) {
    case "attempt-timed-out":
      return stop(turn, index, "timeout");
    case "attempt-abandoned":
      return stopped === "ending" ? cancel(turn, index) : failForGood(turn, index, unstoppable);
    case "attempt-succeeded":
      // Told to pause, it got done all the same: nothing is gained by doing it again.
      if (stopped === undefined || stopped === "interrupt") return succeed(turn, index, change.result);
      return leaveStopped(turn, index, stopped);
    case "attempt-failed":
      return stopped === undefined ? fail(turn, index, change.error) : leaveStopped(turn, index, stopped);
  }
}

/** Never retried: its dispatcher may still be at work, and two attempts must not write side by side. */
const unstoppable: NodeError = { class: "timeout", message: "it did not stop within its grace after it was told to" };

function stop(turn: Turn, index: number, reason: StopReason): void {
  const { schedule, actions } = turn;
  const told = schedule.stopping.get(index);
  // A run that ends outranks every other reason; otherwise the first one stands.
  if (told === undefined || reason === "ending") schedule.stopping.set(index, reason);
  const { id: node } = nodeAt(schedule, index);
  if (told === undefined) actions.push({ type: "abort", node, attempt: at(schedule.records, index).attempt, reason });
}

function leaveStopped(turn: Turn, index: number, reason: StopReason): void {
  if (reason === "ending") return cancel(turn, index);
  if (reason === "interrupt") return queueAgain(turn, index);
  const limit = timeoutOf(turn.schedule, index);
  fail(turn, index, { class: "timeout", message: `it took longer than ${limit} ms` });
}

/** Restored nodes: what finished stays, what ran was interrupted, an ending that had begun goes on. */
function start(turn: Turn): void {
  const { schedule, now } = turn;
  if (schedule.started) return;
  schedule.started = true;
  for (const [index, { state, error, retryAt }] of schedule.records.entries()) {
    schedule.touched++;
    if (state === "running" || state === "blocked") queueAgain(turn, index);
    else if (state === "queued" && retryAt !== undefined)
      schedule.retries.push({ at: now.monotonic + restoredDelay(retryAt, error, now.wall), index });
    else if (state === "queued") schedule.ready.push(index);
    else if (state === "pending" && at(schedule.open, index) === 0) queue(turn, index);
  }
  const { failed, cancelled } = schedule.counts;
  if (schedule.dag.policy.failFast && failed > 0) return end(turn, failedBy(schedule, firstFailed(schedule)));
  if (cancelled > 0) return end(turn, "cancel-requested");
  if (failed > 0) skipAllRestored(turn);
}

function firstFailed({ records }: Schedule): number {
  return records.findIndex(({ state }) => state === "failed");
}

/** A failure may have been recorded and its consequences not. */
function skipAllRestored(turn: Turn): void {
  for (const [index, { state, cause }] of turn.schedule.records.entries()) {
    if (state === "failed") skipDependents(turn, index, failedBy(turn.schedule, index));
    else if (state === "skipped" && cause !== undefined) skipDependents(turn, index, cause);
  }
}

function queue({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(move(schedule, index, "queued", now.wall, {}));
  schedule.ready.push(index);
}

function queueAgain({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(move(schedule, index, "queued", now.wall, { cause: "interrupted" }));
  schedule.ready.push(index);
}

function succeed(turn: Turn, index: number, result: unknown): void {
  const { schedule, now, transitions } = turn;
  transitions.push(move(schedule, index, "succeeded", now.wall, { result }));
  for (const dependent of at(schedule.dependents, index)) {
    schedule.touched++;
    const left = at(schedule.open, dependent) - 1;
    schedule.open[dependent] = left;
    if (left === 0) queue(turn, dependent);
  }
}

function fail(turn: Turn, index: number, error: NodeError): void {
  const { schedule, now, transitions } = turn;
  const policy = nodeAt(schedule, index).retry ?? schedule.dag.policy.defaultRetry;
  const retries = at(schedule.records, index).retries + 1;
  if (!isRetryable(error) || retries > policy.max) return failForGood(turn, index, error);
  const delay = retryDelay(retries, policy, error, schedule.random);
  transitions.push(move(schedule, index, "queued", now.wall, { retries, error, retryAt: now.wall + delay }));
  schedule.retries.push({ at: now.monotonic + delay, index });
}

function failForGood(turn: Turn, index: number, error: NodeError): void {
  const { schedule, now, transitions } = turn;
  transitions.push(move(schedule, index, "failed", now.wall, { error }));
  const cause = failedBy(schedule, index);
  if (schedule.dag.policy.failFast) end(turn, cause);
  else skipDependents(turn, index, cause);
}

function failedBy(schedule: Schedule, index: number): NodeCause {
  return `failed:${nodeAt(schedule, index).id}`;
}

function cancel({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(move(schedule, index, "cancelled", now.wall, because(schedule.ending)));
}

function because(cause: NodeCause | undefined): Facts {
  return cause === undefined ? {} : { cause };
}

/** Every edge below the failure is followed at most once: a node that is skipped already is passed by. */
function skipDependents(turn: Turn, failed: number, cause: NodeCause): void {
  const { schedule, now, transitions } = turn;
  const reached = [failed];
  for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
    for (const dependent of at(schedule.dependents, index)) {
      schedule.touched++;
      if (at(schedule.records, dependent).state !== "pending") continue;
      transitions.push(move(schedule, dependent, "skipped", now.wall, { cause }));
      reached.push(dependent);
    }
  }
}

/** Touches every node, once in the life of a run. The first reason stands; the queues are not looked at any more. */
function end(turn: Turn, cause: NodeCause): void {
  const { schedule } = turn;
  if (schedule.ending !== undefined) return;
  schedule.ending = cause;
  for (const [index, { state }] of schedule.records.entries()) {
    schedule.touched++;
    if (state === "running") stop(turn, index, "ending");
    else if (!isTerminal(state)) cancel(turn, index);
  }
}

function releaseDueRetries({ schedule, now }: Turn): void {
  for (let next = schedule.retries.peek(); next && next.at <= now.monotonic; next = schedule.retries.peek()) {
    schedule.retries.pop();
    schedule.ready.push(next.index);
  }
}

function fillSlots({ schedule, now, transitions, actions }: Turn): void {
  if (!schedule.started || schedule.paused || schedule.ending !== undefined) return;
  while (schedule.running.size < schedule.dag.policy.maxConcurrency) {
    const index = schedule.ready.pop();
    if (index === undefined) return;
    const attempt = at(schedule.records, index).attempt + 1;
    transitions.push(move(schedule, index, "running", now.wall, { attempt }));
    const { id: node } = nodeAt(schedule, index);
    actions.push({ type: "dispatch", node, attempt, timeoutMs: timeoutOf(schedule, index) });
  }
}

function timeoutOf(schedule: Schedule, index: number): number {
  return nodeAt(schedule, index).timeoutMs ?? schedule.dag.policy.defaultTimeoutMs;
}

function announceWake({ schedule, actions }: Turn): void {
  const next = schedule.retries.peek()?.at;
  if (next === undefined || next === schedule.announcedWake) return;
  schedule.announcedWake = next;
  actions.push({ type: "wake", at: next });
}

function finishWhenComplete({ schedule, actions }: Turn): void {
  if (!isComplete(schedule)) return;
  schedule.finished = true;
  actions.push({ type: "finish", outcome: outcomeOf(schedule) });
}

/** Read from the nodes alone, so a restored run ends as it would have. Fail-fast cancels because something failed. */
function outcomeOf({ counts, dag }: Schedule): RunOutcome {
  if (counts.failed > 0 && (dag.policy.failFast || counts.cancelled === 0)) return "failed";
  return counts.cancelled > 0 ? "cancelled" : "succeeded";
}
