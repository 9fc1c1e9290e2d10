/**
 * Final nodes: they run at the end of a run in every case, also after a failure or a cancellation.
 *
 *   every ordinary node has ended -> final nodes, each once the final nodes that it depends on have ended -> outcome
 *
 * Nothing but a request skips a final node, and a cancellation ends only one that is blocked: it waits for a person, and
 * that person has decided.
 */
import { isTerminal, type NodeState, type RunOutcome } from "./dag.ts";
import { at, type Schedule, unended } from "./schedule.ts";

export function ordinaryEnded({ counts, unendedFinals }: Schedule): boolean {
  return unended(counts) === unendedFinals;
}

export function isUnderWay(state: NodeState): boolean {
  return state !== "pending" && !isTerminal(state);
}

/** A node ended, or came back: the final nodes that depend on it count that. */
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

/** The final nodes whose time has come; each is named at least once. */
export function takeFreedFinals(schedule: Schedule): readonly number[] {
  if (schedule.unendedFinals === 0 || !schedule.started || schedule.paused || !ordinaryEnded(schedule)) return none;
  return schedule.freedFinals.splice(0).filter((index) => schedule.finals.has(index) && at(schedule.open, index) === 0);
}

const none: readonly number[] = [];

export function finalsUnderWay({ finals, records }: Schedule): boolean {
  return [...finals].some((index) => isUnderWay(at(records, index).state));
}

/** From here on the graph stays as it is: a final node must not run before the end. */
export function finalsStarted({ finals, records }: Schedule): boolean {
  return [...finals].some((index) => {
    const { state, cause } = at(records, index);
    return state !== "pending" && cause !== "skip-requested";
  });
}

/**
 * Read from the nodes alone, so a restored run ends as it would have. The ordinary nodes decide; after their success a
 * final node that was cancelled or failed does. Fail-fast cancels because an ordinary node failed.
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
