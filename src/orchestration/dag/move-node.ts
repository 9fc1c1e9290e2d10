/** Moves a node to another state, and reads the current nodes of a schedule. */
import { isTerminal, legalMoves, type NodeRecord, type NodeState, type NodeTransition, requestedMoves } from "./dag.ts";
import { countEndForFinals } from "./final-nodes.ts";
import { countEnd } from "./layer-gate.ts";
import { at, type Moment, nodeAt, type Schedule, unended } from "./schedule.ts";

export type Facts = Partial<Omit<NodeRecord, "state">>;

/** Throws on an illegal move: it is a bug in the rules and must not reach the journal. */
export function move(schedule: Schedule, index: number, to: NodeState, now: Moment, changed: Facts): NodeTransition {
  return moveBy(legalMoves, schedule, index, to, now, changed);
}

/** For requests, which alone lead out of a terminal state. */
export function moveOnRequest(schedule: Schedule, index: number, to: NodeState, now: Moment, changed: Facts) {
  return moveBy(requestedMoves, schedule, index, to, now, changed);
}

function moveBy(
  moves: typeof legalMoves,
  schedule: Schedule,
  index: number,
  to: NodeState,
  { wall, monotonic }: Moment,
  changed: Facts,
): NodeTransition {
  const { state: from, attempt, retries, answers, interruptions } = at(schedule.records, index);
  const { id: node } = nodeAt(schedule, index);
  if (!moves[from].includes(to)) throw new Error(`node ${JSON.stringify(node)} cannot go from ${from} to ${to}`);
  const counted = interruptions !== undefined && !isTerminal(from) && !isTerminal(to) ? { interruptions } : undefined;
  const kept = answers || counted ? { ...(answers && { answers }), ...counted, ...changed } : changed;
  schedule.records[index] = { state: to, attempt, retries, ...kept };
  schedule.counts[from]--;
  schedule.counts[to]++;
  schedule.touched++;
  if (to === "running") {
    schedule.running.set(index, monotonic);
    schedule.runningIds.set(node, index);
  }
  if (from === "running") {
    schedule.running.delete(index);
    schedule.runningIds.delete(node);
    schedule.stopping.delete(index);
  }
  if ((schedule.gate || schedule.finals.size > 0) && isTerminal(from) !== isTerminal(to)) {
    if (schedule.gate) countEnd(schedule.gate, index, isTerminal(to));
    if (schedule.finals.size > 0) countEndForFinals(schedule, index, isTerminal(to));
  }
  return { node, from, to, at: wall, attempt, retries, ...kept };
}

/** Returns undefined unless this attempt is running, so that reports of late attempts are ignored. */
export function runningAt({ runningIds, records }: Schedule, node: string, attempt: number): number | undefined {
  const index = runningIds.get(node);
  return index !== undefined && at(records, index).attempt === attempt ? index : undefined;
}

export function isComplete({ counts }: Schedule): boolean {
  return unended(counts) === 0;
}

export function recordsOf({ position, records }: Schedule): ReadonlyMap<string, NodeRecord> {
  const found = new Map<string, NodeRecord>();
  for (const [id, index] of position) found.set(id, at(records, index));
  return found;
}

/** The total cost of all decisions so far: nodes touched, edges followed and queue comparisons. */
export function workOf({ touched, ready, timers }: Schedule): number {
  return touched + ready.steps + timers.steps;
}
