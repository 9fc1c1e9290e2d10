/**
 * State changes of a node, and their consequences for other nodes. Each function adds its moves to the turn. The rules that
 * call them are in scheduler.ts (attempts and time) and requests.ts (users and agents).
 */
import { type BlockRequest, isTerminal, type NodeCause, type NodeError, type NodeTransition } from "./dag.ts";
import { type Facts, move } from "./move-node.ts";
import { isRetryable, retryDelay } from "./retry-delay.ts";
import { addSample, at, type Ending, type Moment, nodeAt, type Schedule, type StopReason } from "./schedule.ts";
import type { Action } from "./decision.ts";

/** A decision under construction. */
export type Turn = {
  readonly schedule: Schedule;
  readonly now: Moment;
  readonly transitions: NodeTransition[];
  readonly actions: Action[];
};

export function queue({ schedule, now, transitions }: Turn, index: number, facts: Facts = {}): void {
  transitions.push(move(schedule, index, "queued", now, facts));
  makeReady(schedule, index);
}

export function makeReady({ ready, records }: Schedule, index: number): void {
  ready.push({ index, record: at(records, index) });
}

export function wait({ timers, records }: Schedule, index: number, until: number): void {
  timers.push({ at: until, index, record: at(records, index) });
}

export function succeed(turn: Turn, index: number, result: unknown): void {
  const { schedule, now, transitions } = turn;
  measure(schedule, index, now);
  transitions.push(move(schedule, index, "succeeded", now, { result }));
  releaseDependents(turn, index);
}

function measure(schedule: Schedule, index: number, { monotonic }: Moment): void {
  addSample(schedule, index, monotonic - (schedule.running.get(index) ?? monotonic));
}

/** After a node is done: queues dependents that have no open dependency left. A skipped dependent is only counted. */
export function releaseDependents(turn: Turn, index: number): void {
  const { schedule } = turn;
  const hasFinals = schedule.finals.size > 0;
  for (const dependent of at(schedule.dependents, index)) {
    schedule.touched++;
    if (hasFinals && schedule.finals.has(dependent)) continue;
    const left = at(schedule.open, dependent) - 1;
    schedule.open[dependent] = left;
    if (left === 0 && at(schedule.records, dependent).state === "pending") queue(turn, dependent);
  }
}

export function fail(turn: Turn, index: number, error: NodeError): void {
  const { schedule, now, transitions } = turn;
  const policy = nodeAt(schedule, index).retry ?? schedule.policy.defaultRetry;
  const retries = at(schedule.records, index).retries + 1;
  if (!isRetryable(error) || retries > policy.max) return failForGood(turn, index, error);
  const delay = retryDelay(retries, policy, error, schedule.random);
  transitions.push(move(schedule, index, "queued", now, { retries, error, retryAt: now.wall + delay }));
  wait(schedule, index, now.monotonic + delay);
}

const mostInterruptions = 3;

/** The node itself may have broken its dispatcher. So it may be interrupted twice; the third time it fails. */
export function interrupt(turn: Turn, index: number, message: string): void {
  const interruptions = (at(turn.schedule.records, index).interruptions ?? 0) + 1;
  if (interruptions < mostInterruptions) return queue(turn, index, { cause: "interrupted", interruptions });
  failForGood(turn, index, { class: "transient", message: `${message}, ${interruptions} times` });
}

export function failForGood(turn: Turn, index: number, error: NodeError): void {
  const { schedule, now, transitions } = turn;
  transitions.push(move(schedule, index, "failed", now, { error }));
  if (schedule.finals.has(index)) return;
  const cause = causeBelow(schedule, index);
  if (schedule.policy.failFast) endRun(turn, { cause });
  else skipDependents(turn, index, cause);
}

type Block = { readonly request: BlockRequest; readonly beforeStart?: boolean };

export function block(turn: Turn, index: number, { request, beforeStart = false }: Block): void {
  const { schedule, now, transitions } = turn;
  const attempt = at(schedule.records, index).attempt - (beforeStart ? 1 : 0);
  transitions.push(move(schedule, index, "blocked", now, { attempt, block: request }));
  awaitDeadline(turn, index, request);
}

/** A deadline without a default answer has no effect. */
export function awaitDeadline({ schedule, now }: Turn, index: number, request: BlockRequest | undefined): void {
  if (request?.defaultAnswer === undefined || !Number.isFinite(request.deadlineAt)) return;
  const left = Math.max(0, (request.deadlineAt as number) - now.wall);
  wait(schedule, index, now.monotonic + left);
}

export function answer(turn: Turn, index: number, given: unknown, cause: "answered" | "deadline-passed"): void {
  const { answers = [], block } = at(turn.schedule.records, index);
  const { on, question } = block as BlockRequest;
  const isFreed = on === "reservation" && cause === "answered";
  // A node may wait for paths many times, and only the last wait is worth keeping.
  const kept = on === "reservation" ? answers.filter((former) => former.on !== on) : answers;
  const why = isFreed ? "reservation-freed" : cause;
  queue(turn, index, { cause: why, answers: [...kept, { on, question, answer: given }] });
}

export function stop(turn: Turn, index: number, reason: StopReason): void {
  const { schedule, actions } = turn;
  const told = schedule.stopping.get(index);
  // An ending run overrides every other reason. Otherwise the first reason counts.
  if (told === undefined || reason === "ending") schedule.stopping.set(index, reason);
  const { id: node } = nodeAt(schedule, index);
  if (told === undefined) actions.push({ type: "abort", node, attempt: at(schedule.records, index).attempt, reason });
}

export function cancel({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(move(schedule, index, "cancelled", now, { ...schedule.ending }));
}

/** The cause that dependents of a node without success get. */
export function causeBelow(schedule: Schedule, index: number): NodeCause {
  const { state, cause } = at(schedule.records, index);
  const { id } = nodeAt(schedule, index);
  if (state === "failed") return `failed:${id}`;
  return cause === undefined || cause === "skip-requested" ? `skipped:${id}` : cause;
}

/** Follows every edge at most once: it does not visit a node that is already skipped. */
export function skipDependents(turn: Turn, top: number, cause: NodeCause): void {
  const { schedule, now, transitions } = turn;
  const reached = [top];
  for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
    for (const dependent of at(schedule.dependents, index)) {
      schedule.touched++;
      if (at(schedule.records, dependent).state !== "pending" || schedule.finals.has(dependent)) continue;
      transitions.push(move(schedule, dependent, "skipped", now, { cause }));
      reached.push(dependent);
    }
  }
}

/** A cancellation ends a pause: the final nodes run, and the run ends. */
export function cancelRun(turn: Turn, ending: Ending): void {
  const { schedule, now, transitions } = turn;
  schedule.paused = false;
  for (const index of schedule.finals)
    if (at(schedule.records, index).state === "blocked")
      transitions.push(move(schedule, index, "cancelled", now, { ...ending }));
  endRun(turn, ending);
}

/** Visits every ordinary node, once per run. The first reason counts. */
export function endRun(turn: Turn, ending: Ending): void {
  const { schedule } = turn;
  if (schedule.ending !== undefined) return;
  schedule.ending = ending;
  for (const index of schedule.position.values()) {
    schedule.touched++;
    if (schedule.finals.has(index)) continue;
    const { state } = at(schedule.records, index);
    if (state === "running") stop(turn, index, "ending");
    else if (!isTerminal(state)) cancel(turn, index);
  }
}
