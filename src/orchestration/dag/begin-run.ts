/**
 * The first change of a run: everything pending, or the records of an earlier life.
 *
 *   what finished stays · what ran was interrupted · what was blocked waits on · an ending that had begun goes on
 *
 * A journal may be cut after any entry: what a recorded transition entails is made up for here.
 */
import { isDone } from "./dag.ts";
import { restoredDelay } from "./retry-delay.ts";
import { retryAll } from "./requests.ts";
import { at, type Schedule } from "./schedule.ts";
import { awaitDeadline, causeBelow, end, makeReady, queue, skipDependents, type Turn, wait } from "./turn.ts";

export function begin(turn: Turn, retry: readonly string[] = []): void {
  const { schedule } = turn;
  if (schedule.started) return;
  schedule.started = true;
  retryAll(turn, retry);
  for (const index of schedule.position.values()) takeUp(turn, index);
  const [failed, cancelled] = [firstIn(schedule, "failed"), firstIn(schedule, "cancelled")];
  if (schedule.policy.failFast && failed !== undefined) return end(turn, { cause: causeBelow(schedule, failed) });
  if (cancelled !== undefined) return end(turn, endingOf(schedule, cancelled));
  if (failed !== undefined || schedule.counts.skipped > 0) skipAllRestored(turn);
}

function takeUp(turn: Turn, index: number): void {
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

/** Of the ordinary nodes: what became of final ones ends nothing. */
function firstIn({ position, records, counts, finals }: Schedule, wanted: "failed" | "cancelled"): number | undefined {
  if (counts[wanted] === 0) return undefined;
  for (const index of position.values()) if (at(records, index).state === wanted && !finals.has(index)) return index;
  return undefined;
}

function endingOf({ records }: Schedule, index: number) {
  const { cause = "cancel-requested", reason } = at(records, index);
  return { cause, ...(reason === undefined ? {} : { reason }) } as const;
}

/** An end without success may have been recorded and its consequences not. */
function skipAllRestored(turn: Turn): void {
  const { schedule } = turn;
  for (const index of schedule.position.values()) {
    const record = at(schedule.records, index);
    if (record.state !== "failed" && (record.state !== "skipped" || isDone(record))) continue;
    skipDependents(turn, index, causeBelow(schedule, index));
  }
}
