/** One node to another state, and what the schedule says about the nodes as they stand. */
import { isTerminal, legalMoves, type NodeRecord, type NodeState, type NodeTransition, requestedMoves } from "./dag.ts";
import { countEndForFinals } from "./final-nodes.ts";
import { countEnd } from "./layer-gate.ts";
import { at, type Moment, nodeAt, type Schedule, unended } from "./schedule.ts";

export type Facts = Partial<Omit<NodeRecord, "state">>;

/** Refuses an illegal move: it would be a defect of the rules, and the journal must not learn it. */
export function move(schedule: Schedule, index: number, to: NodeState, now: Moment, changed: Facts): NodeTransition {
  return moveBy(legalMoves, schedule, index, to, now, changed);
}

/** Because somebody asked for it: the only way out of a terminal state. */
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
  const { state: from, attempt, retries, answers } = at(schedule.records, index);
  const { id: node } = nodeAt(schedule, index);
  if (!moves[from].includes(to)) throw new Error(`node ${JSON.stringify(node)} cannot go from ${from} to ${to}`);
  const kept = answers ? { answers, ...changed } : changed;
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

/** Undefined unless the node is in this very attempt: what a late attempt reports concerns nobody. */
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

/** Nodes touched, edges followed and queue comparisons so far: the cost of all decisions together. */
export function workOf({ touched, ready, timers }: Schedule): number {
  return touched + ready.steps + timers.steps;
}
