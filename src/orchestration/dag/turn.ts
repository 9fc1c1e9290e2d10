/**
 * What happens to a node, and what follows from it for the others. Each function records its moves in the turn; the
 * rules that decide which one is called are in scheduler.ts (attempts and time) and requests.ts (people).
 */
import { type BlockRequest, isTerminal, type NodeCause, type NodeError, type NodeTransition } from "./dag.ts";
import { type Facts, move } from "./move-node.ts";
import { isRetryable, retryDelay } from "./retry-delay.ts";
import { addSample, at, type Ending, type Moment, nodeAt, type Schedule, type StopReason } from "./schedule.ts";
import type { Action } from "./decision.ts";

/** One decision in the making. */
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

/** Once a node is done; one that was skipped meanwhile only counts it. */
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

export function failForGood(turn: Turn, index: number, error: NodeError): void {
  const { schedule, now, transitions } = turn;
  transitions.push(move(schedule, index, "failed", now, { error }));
  if (schedule.finals.has(index)) return;
  const cause = causeBelow(schedule, index);
  if (schedule.policy.failFast) end(turn, { cause });
  else skipDependents(turn, index, cause);
}

type Block = { readonly request: BlockRequest; readonly beforeStart?: boolean };

export function block(turn: Turn, index: number, { request, beforeStart = false }: Block): void {
  const { schedule, now, transitions } = turn;
  const attempt = at(schedule.records, index).attempt - (beforeStart ? 1 : 0);
  transitions.push(move(schedule, index, "blocked", now, { attempt, block: request }));
  awaitDeadline(turn, index, request);
}

/** Nothing happens at a deadline without a default answer. */
export function awaitDeadline({ schedule, now }: Turn, index: number, request: BlockRequest | undefined): void {
  if (request?.defaultAnswer === undefined || !Number.isFinite(request.deadlineAt)) return;
  const left = Math.max(0, (request.deadlineAt as number) - now.wall);
  wait(schedule, index, now.monotonic + left);
}

export function answer(turn: Turn, index: number, given: unknown, cause: "answered" | "deadline-passed"): void {
  const { answers = [], block } = at(turn.schedule.records, index);
  const { on, question } = block as BlockRequest;
  const isFreed = on === "reservation" && cause === "answered";
  // Who waits for paths may wait for them often, and only the last time tells anything.
  const kept = on === "reservation" ? answers.filter((former) => former.on !== on) : answers;
  const why = isFreed ? "reservation-freed" : cause;
  queue(turn, index, { cause: why, answers: [...kept, { on, question, answer: given }] });
}

export function stop(turn: Turn, index: number, reason: StopReason): void {
  const { schedule, actions } = turn;
  const told = schedule.stopping.get(index);
  // A run that ends outranks every other reason; otherwise the first one stands.
  if (told === undefined || reason === "ending") schedule.stopping.set(index, reason);
  const { id: node } = nodeAt(schedule, index);
  if (told === undefined) actions.push({ type: "abort", node, attempt: at(schedule.records, index).attempt, reason });
}

export function cancel({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(move(schedule, index, "cancelled", now, { ...schedule.ending }));
}

/** What a node that ended without success means for those below it. */
export function causeBelow(schedule: Schedule, index: number): NodeCause {
  const { state, cause } = at(schedule.records, index);
  const { id } = nodeAt(schedule, index);
  if (state === "failed") return `failed:${id}`;
  return cause === undefined || cause === "skip-requested" ? `skipped:${id}` : cause;
}

/** Every edge below is followed at most once: a node that is skipped already is passed by. */
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

/** What a person asks for outranks a pause: the final nodes run, and the run ends. */
export function cancelRun(turn: Turn, ending: Ending): void {
  const { schedule, now, transitions } = turn;
  schedule.paused = false;
  for (const index of schedule.finals)
    if (at(schedule.records, index).state === "blocked")
      transitions.push(move(schedule, index, "cancelled", now, { ...ending }));
  end(turn, ending);
}

/** Touches every ordinary node, once in the life of a run. The first reason stands. */
export function end(turn: Turn, ending: Ending): void {
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
