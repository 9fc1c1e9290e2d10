/**
 * Estimates the remaining time of a run (D28): the longest path of open nodes, by the average time of each role.
 *
 *   averages per role -> remaining time of every open node -> longest path, but no less than the work over all slots
 *
 * It returns "unknown" until every open role has two samples, and while the run is paused or waits for a person.
 */
import { isTerminal } from "./dag.ts";
import { at, type Moment, nodeAt, type Schedule } from "./schedule.ts";

const enoughSamples = 2;

/** Visits every open node once. */
export function estimateRemaining(schedule: Schedule, { monotonic }: Moment): number | "unknown" {
  const { counts, position, records, policy } = schedule;
  if (schedule.finished) return 0;
  if (schedule.paused || schedule.ending || counts.blocked > 0) return "unknown";
  const open = [...position.values()].filter((index) => !isTerminal(at(records, index).state));
  const own = new Map<number, number>();
  for (const index of open) {
    const average = averageOf(schedule, index);
    if (average === undefined) return "unknown";
    const began = schedule.running.get(index);
    own.set(index, began === undefined ? average : Math.max(0, average - (monotonic - began)));
  }
  const work = [...own.values()].reduce((sum, ms) => sum + ms, 0);
  return Math.round(Math.max(longestPath(schedule, own), work / policy.maxConcurrency));
}

function averageOf(schedule: Schedule, index: number): number | undefined {
  const known = schedule.durations.get(nodeAt(schedule, index).role);
  return known && known.samples >= enoughSamples ? known.totalMs / known.samples : undefined;
}

/** Walks down from the nodes whose dependencies are done, then through the final nodes, which start when all others end. */
function longestPath(schedule: Schedule, own: ReadonlyMap<number, number>): number {
  const before = new Map<number, number>();
  const waiting = new Map<number, number>();
  const isFinal = (index: number) => schedule.finals.has(index);
  const leftOf = (index: number) => waiting.get(index) ?? at(schedule.open, index);
  const readyAmong = (final: boolean) =>
    [...own.keys()].filter((index) => isFinal(index) === final && leftOf(index) === 0);
  const walk = (ready: number[], begin: number): number => {
    let longest = begin;
    for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
      const until = Math.max(begin, before.get(index) ?? 0) + (own.get(index) ?? 0);
      longest = Math.max(longest, until);
      for (const dependent of at(schedule.dependents, index)) {
        if (!own.has(dependent)) continue;
        before.set(dependent, Math.max(before.get(dependent) ?? 0, until));
        waiting.set(dependent, leftOf(dependent) - 1);
        if (leftOf(dependent) === 0 && isFinal(dependent) === isFinal(index)) ready.push(dependent);
      }
    }
    return longest;
  };
  const ordinary = walk(readyAmong(false), 0);
  return walk(readyAmong(true), ordinary);
}
