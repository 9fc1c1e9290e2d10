/**
 * Schedule: the state that `decide` works on, and the index that makes a decision cheap.
 *
 *   dag + restored records -> open dependency counts, dependents, ready queue, timers, running set
 *
 * It is changed in place and belongs to one runner. Immutable copies would cost time and have no reader, because the
 * journal is the history. Nodes are identified by position. A removed or replaced node leaves its position empty for good,
 * so references to it need no update.
 * Invariant: only `move` (move-node.ts) changes a state; it keeps records, counts and running set consistent.
 */
import type { Heap } from "./binary-heap.ts";
import {
  type DagNode,
  type DagPolicy,
  isDone,
  isTerminal,
  type NodeCause,
  type NodeRecord,
  type NodeState,
} from "./dag.ts";
import { createLayerGate, type LayerGate } from "./layer-gate.ts";

/** Why a running attempt must stop. It stays `running` until it has stopped or the grace period is over. */
export type StopReason = "timeout" | "interrupt" | "ending";

export type Moment = { readonly wall: number; readonly monotonic: number };

/** An entry in a queue. It is valid only while the node has this record, so leaving a queue needs no search. */
export type Ticket = { readonly index: number; readonly record: NodeRecord };

export type Schedule = {
  readonly policy: DagPolicy;
  readonly roles: ReadonlySet<string> | undefined;
  readonly random: () => number;
  readonly nodes: DagNode[];
  /** Positions of the current nodes, in plan order. */
  readonly position: Map<string, number>;
  readonly parents: (readonly number[])[];
  readonly dependents: number[][];
  /** For each node, the number of dependencies that are not done; for a final node, that have not ended. */
  readonly open: number[];
  readonly records: NodeRecord[];
  /** Running nodes, with the monotonic time of their start. */
  readonly running: Map<number, number>;
  /** Running nodes by id, because these are looked up most often. */
  readonly runningIds: Map<string, number>;
  readonly stopping: Map<number, StopReason>;
  /** Queued nodes that may start, in plan order. */
  readonly ready: Heap<Ticket>;
  /** Queued nodes that wait for a monotonic time, and blocked nodes with a default answer. */
  readonly timers: Heap<Ticket & { readonly at: number }>;
  readonly counts: Record<NodeState, number>;
  /** Positions of the final nodes. */
  readonly finals: Set<number>;
  /** Final nodes whose dependencies have ended. They start once all ordinary nodes have ended. */
  readonly freedFinals: number[];
  unendedFinals: number;
  /** How long successful attempts took, by role. */
  readonly durations: Map<string, { samples: number; totalMs: number }>;
  /** Only in layered mode. */
  gate: LayerGate | undefined;
  version: number;
  edges: number;
  paused: boolean;
  /** Set once no further node may start. Unfinished nodes are cancelled with this cause. */
  ending: Ending | undefined;
  started: boolean;
  finished: boolean;
  announcedWake: number | undefined;
  /** Nodes and edges touched so far; see `workOf`. */
  touched: number;
};

export type Ending = { readonly cause: NodeCause; readonly reason?: string };

const untouched: NodeRecord = { state: "pending", attempt: 0, retries: 0 };

export function unended({ pending, queued, running, blocked }: Schedule["counts"]): number {
  return pending + queued + running + blocked;
}

/** Appends a node to the plan. `linkNode` connects it to its dependencies once all of them exist. */
export function addNode(schedule: Schedule, node: DagNode, record = untouched): number {
  const index = schedule.nodes.push(node) - 1;
  schedule.records.push(record);
  schedule.parents.push(noParents);
  schedule.dependents.push([]);
  schedule.open.push(0);
  schedule.counts[record.state]++;
  schedule.touched++;
  if (record.state === "running") {
    schedule.running.set(index, 0);
    schedule.runningIds.set(node.id, index);
  }
  if (node.final) {
    schedule.finals.add(index);
    if (!isTerminal(record.state)) schedule.unendedFinals++;
  }
  return index;
}

const noParents: readonly number[] = [];

export function linkNode(schedule: Schedule, index: number, parents: readonly number[]): void {
  schedule.touched += parents.length;
  schedule.edges += parents.length;
  schedule.parents[index] = parents;
  const isFinal = schedule.finals.has(index);
  let open = 0;
  for (const parent of parents) {
    at(schedule.dependents, parent).push(index);
    const record = at(schedule.records, parent);
    if (isFinal ? !isTerminal(record.state) : !isDone(record)) open++;
  }
  schedule.open[index] = open;
  if (isFinal && open === 0) schedule.freedFinals.push(index);
}

export function addSample(schedule: Schedule, index: number, tookMs: number): void {
  const { role } = at(schedule.nodes, index);
  const { samples, totalMs } = schedule.durations.get(role) ?? { samples: 0, totalMs: 0 };
  schedule.durations.set(role, { samples: samples + 1, totalMs: totalMs + tookMs });
}

/** The placeholder at an empty position. */
const gone: NodeRecord = { state: "cancelled", attempt: 0, retries: 0 };

export function dropNode(schedule: Schedule, index: number): void {
  const { state } = at(schedule.records, index);
  schedule.counts[state]--;
  if (schedule.finals.delete(index) && !isTerminal(state)) schedule.unendedFinals--;
  schedule.records[index] = gone;
  schedule.position.delete(at(schedule.nodes, index).id);
  schedule.edges -= at(schedule.parents, index).length;
  schedule.touched++;
}

export function isGone({ records }: Schedule, index: number): boolean {
  return records[index] === gone;
}

/** Computes the layers. Called again after every adjustment. */
export function layOut(schedule: Schedule): void {
  const { policy, position, records } = schedule;
  if (policy.mode !== "layered") return;
  const hasEnded = (index: number) => isTerminal(at(records, index).state);
  schedule.gate = createLayerGate({ nodes: currentNodes(schedule), position, hasEnded });
}

export function currentNodes({ nodes, position }: Schedule): readonly DagNode[] {
  return [...position.values()].map((index) => at(nodes, index));
}

export function nodeAt({ nodes }: Schedule, index: number): DagNode {
  return at(nodes, index);
}

export function at<Item>(items: readonly Item[], index: number): Item {
  if (index >= items.length) throw new RangeError(`no node at position ${index}`);
  return items[index] as Item;
}

export function positionOf({ position }: Schedule, id: string): number {
  const index = position.get(id);
  if (index === undefined) throw new RangeError(`no node has the id ${JSON.stringify(id)}`);
  return index;
}
