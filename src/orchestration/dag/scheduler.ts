/**
 * The rules of a run, without side effects: which decisions follow from one change.
 *
 *   decide(schedule, change, now) -> transitions to record, then actions to carry out
 *
 * A node starts as soon as its dependencies succeeded and a slot is free (D3), in plan order; in layered mode also not
 * before its layer. `decide` only changes the schedule. Time and randomness are inputs, so equal histories give equal
 * decisions. The cost depends on the nodes that the change touches (the node, its dependents, log n for a queue), not on
 * the size of the graph.
 * Invariant: at most maxConcurrency nodes are `running`, including attempts that were told to stop.
 */
import { adjust, succeedAdjusting } from "./adjust-schedule.ts";
import { beginRun } from "./begin-run.ts";
import type { NodeError } from "./dag.ts";
import type { AdjustedDag, AttemptChange, Change, Decision } from "./decision.ts";
import { ordinaryEnded, outcomeOf, takeFreedFinals } from "./final-nodes.ts";
import { mayPass } from "./layer-gate.ts";
import { isComplete, move, runningAt } from "./move-node.ts";
import { retry, skip, unblock } from "./requests.ts";
import { at, type Moment, nodeAt, type Schedule, type StopReason, type Ticket } from "./schedule.ts";
import {
  answer,
  block,
  cancel,
  cancelRun,
  fail,
  failForGood,
  interrupt,
  makeReady,
  queue,
  stop,
  succeed,
  type Turn,
} from "./turn.ts";

export function decide(schedule: Schedule, change: Change, now: Moment): Decision {
  const turn: Turn = { schedule, now, transitions: [], actions: [] };
  if (schedule.finished) return turn;
  const adjusted = take(turn, change);
  releaseDue(turn);
  for (const index of takeFreedFinals(schedule))
    if (at(schedule.records, index).state === "pending") queue(turn, index);
  fillSlots(turn);
  announceWake(turn);
  finishWhenComplete(turn);
  return adjusted ? { ...turn, adjusted } : turn;
}

function take(turn: Turn, change: Change): AdjustedDag | void {
  const { schedule } = turn;
  switch (change.type) {
    case "started":
      return beginRun(turn, change.retry);
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-blocked":
    case "attempt-interrupted":
    case "attempt-timed-out":
    case "attempt-abandoned":
      return takeAttempt(turn, change);
    case "retry-requested":
      return retry(turn, change.node);
    case "skip-requested":
      return skip(turn, change);
    case "unblock-requested":
      return unblock(turn, change);
    case "adjust-requested":
      return adjust(turn, change);
    case "woken":
      schedule.announcedWake = undefined;
      return;
    case "paused":
      schedule.paused = true;
      if (change.running === "abort") for (const index of schedule.running.keys()) stop(turn, index, "interrupt");
      return;
    case "unpaused":
      schedule.paused = false;
      return;
    case "cancel-requested": {
      const { reason } = change;
      return cancelRun(turn, { cause: "cancel-requested", ...(reason === undefined ? {} : { reason }) });
    }
  }
}

function takeAttempt(turn: Turn, change: AttemptChange): AdjustedDag | void {
  const { schedule } = turn;
  const index = runningAt(schedule, change.node, change.attempt);
  if (index === undefined) return;
  const stopped = schedule.stopping.get(index);
  // The attempt succeeded although it was told to pause, so it need not run again.
  const heard = stopped === undefined || stopped === "interrupt";
  switch (change.type) {
    case "attempt-timed-out":
      return stop(turn, index, "timeout");
    case "attempt-abandoned":
      return stopped === "ending" ? cancel(turn, index) : failForGood(turn, index, unstoppable);
    case "attempt-succeeded":
      if (!heard) return settleStopped(turn, index, stopped);
      return change.adjustment === undefined
        ? succeed(turn, index, change.result)
        : succeedAdjusting(turn, index, change.result, change.adjustment);
    case "attempt-blocked":
      return heard ? block(turn, index, change) : settleStopped(turn, index, stopped);
    case "attempt-interrupted":
      return stopped === undefined ? interrupt(turn, index, change.message) : settleStopped(turn, index, stopped);
    case "attempt-failed":
      return stopped === undefined ? fail(turn, index, change.error) : settleStopped(turn, index, stopped);
  }
}

/** Never retried: its dispatcher may still run, and two attempts must not write at the same time. */
const unstoppable: NodeError = { class: "timeout", message: "it did not stop in time after it was told to" };

function settleStopped(turn: Turn, index: number, reason: StopReason): void {
  if (reason === "ending") return cancel(turn, index);
  if (reason === "interrupt") return queue(turn, index, { cause: "interrupted" });
  const limit = timeoutOf(turn.schedule, index);
  fail(turn, index, { class: "timeout", message: `it timed out after ${limit} ms` });
}

function isStale({ records }: Schedule, { index, record }: Ticket): boolean {
  return records[index] !== record;
}

function releaseDue(turn: Turn): void {
  const { schedule, now } = turn;
  for (let next = schedule.timers.peek(); next; next = schedule.timers.peek()) {
    const stale = isStale(schedule, next);
    if (!stale && next.at > now.monotonic) return;
    schedule.timers.pop();
    if (stale) continue;
    if (next.record.state === "queued") makeReady(schedule, next.index);
    else answer(turn, next.index, next.record.block?.defaultAnswer, "deadline-passed");
  }
}

function fillSlots({ schedule, now, transitions, actions }: Turn): void {
  if (!schedule.started || schedule.paused) return;
  if (schedule.ending !== undefined && !ordinaryEnded(schedule)) return;
  while (schedule.running.size < schedule.policy.maxConcurrency) {
    const next = schedule.ready.peek();
    if (next === undefined) return;
    const stale = isStale(schedule, next);
    if (!stale && !mayPass(schedule.gate, next.index)) return;
    schedule.ready.pop();
    if (stale) continue;
    const { index } = next;
    const attempt = at(schedule.records, index).attempt + 1;
    transitions.push(move(schedule, index, "running", now, { attempt }));
    const { id: node } = nodeAt(schedule, index);
    actions.push({ type: "dispatch", node, attempt, timeoutMs: timeoutOf(schedule, index) });
  }
}

function timeoutOf(schedule: Schedule, index: number): number {
  return nodeAt(schedule, index).timeoutMs ?? schedule.policy.defaultTimeoutMs;
}

function announceWake({ schedule, actions }: Turn): void {
  const next = schedule.timers.peek()?.at;
  if (next === undefined || next === schedule.announcedWake) return;
  schedule.announcedWake = next;
  actions.push({ type: "wake", at: next });
}

/** A run that is reopened is complete until it starts: its start names the nodes that run again. */
function finishWhenComplete({ schedule, actions }: Turn): void {
  if (!schedule.started || !isComplete(schedule)) return;
  schedule.finished = true;
  actions.push({ type: "finish", outcome: outcomeOf(schedule) });
}
