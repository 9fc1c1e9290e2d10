/**
 * Begins a run: from a fresh graph, or from the records of an earlier process.
 *
 *   finished nodes stay · running nodes were interrupted · blocked nodes keep waiting · an ending run keeps ending
 *
 * A crash may cut the journal after any entry. So this also adds the missing consequences of recorded transitions.
 */
import { isDone } from "./dag.ts";
import { restoredDelay } from "./retry-delay.ts";
import { retryAll } from "./requests.ts";
import { at, type Schedule } from "./schedule.ts";
import { awaitDeadline, causeBelow, endRun, makeReady, queue, skipDependents, type Turn, wait } from "./turn.ts";

export function beginRun(turn: Turn, retry: readonly string[] = []): void {
  const { schedule } = turn;
  if (schedule.started) return;
  schedule.started = true;
  retryAll(turn, retry);
  for (const index of schedule.position.values()) restoreNode(turn, index);
  const [failed, cancelled] = [firstIn(schedule, "failed"), firstIn(schedule, "cancelled")];
  if (schedule.policy.failFast && failed !== undefined) return endRun(turn, { cause: causeBelow(schedule, failed) });
  if (cancelled !== undefined) return endRun(turn, endingOf(schedule, cancelled));
  if (failed !== undefined || schedule.counts.skipped > 0) skipAllRestored(turn);
}

function restoreNode(turn: Turn, index: number): void {
  const { schedule, now } = turn;
  const { state, error, retryAt, block } = at(schedule.records, index);
  schedule.touched++;
  if (state === "running") queue(turn, index, { cause: "interrupted" });
  else if (state === "blocked") awaitDeadline(turn, index, block);
  else if (state === "queued" && retryAt !== undefined)
    wait(schedule, index, now.monotonic + restoredDelay(retryAt, error, now.wall));
  else if (state === "queued") makeReady(schedule, index);
  else if (state === "pending" && at(schedule.open, index) === 0 && !schedule.finals.has(index)) queue(turn, index);
}

/** Looks at ordinary nodes only: a failed or cancelled final node does not end the run. */
function firstIn({ position, records, counts, finals }: Schedule, wanted: "failed" | "cancelled"): number | undefined {
  if (counts[wanted] === 0) return undefined;
  for (const index of position.values()) if (at(records, index).state === wanted && !finals.has(index)) return index;
  return undefined;
}

function endingOf({ records }: Schedule, index: number) {
  const { cause = "cancel-requested", reason } = at(records, index);
  return { cause, ...(reason === undefined ? {} : { reason }) } as const;
}

/** A crash may have come after a node ended without success and before its dependents were skipped. */
function skipAllRestored(turn: Turn): void {
  const { schedule } = turn;
  for (const index of schedule.position.values()) {
    const record = at(schedule.records, index);
    if (record.state !== "failed" && (record.state !== "skipped" || isDone(record))) continue;
    skipDependents(turn, index, causeBelow(schedule, index));
  }
}
