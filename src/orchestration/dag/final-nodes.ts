/**
 * Final nodes run at the end of every run, also after a failure or a cancellation.
 *
 *   every ordinary node has ended -> final nodes, each once the final nodes that it depends on have ended -> outcome
 *
 * Only a request skips a final node. A cancellation ends only a blocked final node: it waits for a person, and that person
 * has decided.
 */
import { isTerminal, type NodeState, type RunOutcome } from "./dag.ts";
import { at, type Schedule, unended } from "./schedule.ts";

export function ordinaryEnded({ counts, unendedFinals }: Schedule): boolean {
  return unended(counts) === unendedFinals;
}

export function isUnderWay(state: NodeState): boolean {
  return state !== "pending" && !isTerminal(state);
}

/** A node ended or was reopened: updates the open dependencies of final nodes. */
export function countEndForFinals(schedule: Schedule, index: number, ended: boolean): void {
  const { finals, open, dependents, freedFinals } = schedule;
  const step = ended ? -1 : 1;
  if (finals.has(index)) {
    schedule.unendedFinals += step;
    if (!ended && at(open, index) === 0) freedFinals.push(index);
  }
  for (const dependent of at(dependents, index)) {
    schedule.touched++;
    if (!finals.has(dependent)) continue;
    const left = at(open, dependent) + step;
    open[dependent] = left;
    if (left === 0) freedFinals.push(dependent);
  }
}

/** Returns the final nodes that can start now. A node may appear more than once. */
export function takeFreedFinals(schedule: Schedule): readonly number[] {
  if (schedule.unendedFinals === 0 || !schedule.started || schedule.paused || !ordinaryEnded(schedule)) return none;
  return schedule.freedFinals.splice(0).filter((index) => schedule.finals.has(index) && at(schedule.open, index) === 0);
}

const none: readonly number[] = [];

export function finalsUnderWay({ finals, records }: Schedule): boolean {
  return [...finals].some((index) => isUnderWay(at(records, index).state));
}

/** Once a final node has started, the graph must not change: a final node runs after all ordinary ones. */
export function finalsStarted({ finals, records }: Schedule): boolean {
  return [...finals].some((index) => {
    const { state, cause } = at(records, index);
    return state !== "pending" && cause !== "skip-requested";
  });
}

/**
 * The outcome follows from the nodes alone, so a restored run ends the same way. The ordinary nodes decide. If they
 * succeeded, a cancelled or failed final node decides. Cancelled nodes of a fail-fast run count as failed.
 */
export function outcomeOf({ counts, policy, finals, records }: Schedule): RunOutcome {
  const ends = [...finals].map((index) => at(records, index).state);
  const [failedFinals, cancelledFinals] = [countOf(ends, "failed"), countOf(ends, "cancelled")];
  const [failed, cancelled] = [counts.failed - failedFinals, counts.cancelled - cancelledFinals];
  if (failed > 0 && (policy.failFast || cancelled === 0)) return "failed";
  if (cancelled + cancelledFinals > 0) return "cancelled";
  return failedFinals > 0 ? "failed" : "succeeded";
}

function countOf(states: readonly NodeState[], wanted: NodeState): number {
  return states.filter((state) => state === wanted).length;
}
