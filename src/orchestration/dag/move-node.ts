/** One node to another state, and what the schedule says about the nodes as they stand. */
import {
  type DagNode,
  isTerminal,
  legalMoves,
  type NodeRecord,
  type NodeState,
  type NodeTransition,
  requestedMoves,
} from "./dag.ts";
import { countEnd } from "./layer-gate.ts";
import { at, type Moment, nodeAt, positionOf, type Schedule } from "./schedule.ts";

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
  const facts = { attempt, retries, ...(answers ? { answers } : {}), ...changed };
  schedule.records[index] = { state: to, ...facts };
  schedule.counts[from]--;
  schedule.counts[to]++;
  schedule.touched++;
  if (to === "running") schedule.running.set(index, monotonic);
  if (from === "running") {
    schedule.running.delete(index);
    schedule.stopping.delete(index);
  }
  if (schedule.gate && isTerminal(from) !== isTerminal(to)) countEnd(schedule.gate, index, isTerminal(to));
  return { node, from, to, at: wall, ...facts };
}

/** Undefined unless the node is in this very attempt: what a late attempt reports concerns nobody. */
export function runningAt(schedule: Schedule, node: string, attempt: number): number | undefined {
  const index = positionOf(schedule, node);
  const { state, attempt: latest } = at(schedule.records, index);
  return state === "running" && latest === attempt ? index : undefined;
}

export function isComplete({ counts }: Schedule): boolean {
  return counts.pending + counts.queued + counts.running + counts.blocked === 0;
}

export function recordOf(schedule: Schedule, { id }: Pick<DagNode, "id">): NodeRecord {
  return at(schedule.records, positionOf(schedule, id));
}

export function recordsOf({ position, records }: Schedule): ReadonlyMap<string, NodeRecord> {
  return new Map([...position].map(([id, index]) => [id, at(records, index)]));
}

/** Nodes touched, edges followed and queue comparisons so far: the cost of all decisions together. */
export function workOf({ touched, ready, timers }: Schedule): number {
  return touched + ready.steps + timers.steps;
}
