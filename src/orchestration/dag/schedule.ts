/**
 * Schedule: the state that `decide` works on, and the index that makes a decision cheap.
 *
 *   dag + restored records -> open dependency counts, dependents, ready queue, retry times, running set
 *
 * It is changed in place and belongs to one runner: a persistent structure would cost a copy per change and nobody
 * looks at an old one, for the journal is the history. Nodes are known by their position in the plan.
 * Invariant: `move` is the only way to another state; it keeps records, counts and the running set in step.
 */
import { createHeap, type Heap } from "./binary-heap.ts";
import {
  type Dag,
  type DagNode,
  legalMoves,
  type NodeCause,
  type NodeRecord,
  type NodeState,
  type NodeTransition,
} from "./dag.ts";

/** Why a running attempt was told to stop; it stays `running` until it has stopped or its grace is over. */
export type StopReason = "timeout" | "interrupt" | "ending";

export type Schedule = {
  readonly dag: Dag;
  readonly random: () => number;
  readonly position: ReadonlyMap<string, number>;
  readonly dependents: readonly (readonly number[])[];
  /** Dependencies of each node that have not succeeded. */
  readonly open: number[];
  readonly records: NodeRecord[];
  readonly running: Set<number>;
  readonly stopping: Map<number, StopReason>;
  /** Queued nodes that may start, in order of the plan. */
  readonly ready: Heap<number>;
  /** Queued nodes that wait for a time (monotonic). */
  readonly retries: Heap<{ readonly at: number; readonly index: number }>;
  readonly counts: Record<NodeState, number>;
  paused: boolean;
  /** Set once nothing more may start; what is unfinished ends cancelled with this cause. */
  ending: NodeCause | undefined;
  started: boolean;
  finished: boolean;
  announcedWake: number | undefined;
  /** Nodes and edges touched so far; see `workOf`. */
  touched: number;
};

type Options = { readonly restored?: ReadonlyMap<string, NodeRecord> | undefined; readonly random: () => number };

/** Expects a graph that `validateDag` accepted. */
export function createSchedule(dag: Dag, { restored = new Map(), random }: Options): Schedule {
  const { nodes } = dag;
  const position = new Map(nodes.map(({ id }, index) => [id, index]));
  const records = nodes.map(({ id }) => restored.get(id) ?? untouched);
  const dependents: number[][] = nodes.map(() => []);
  const open = nodes.map(() => 0);
  const running = new Set<number>();
  const counts = { pending: 0, queued: 0, running: 0, succeeded: 0, failed: 0, blocked: 0, skipped: 0, cancelled: 0 };
  let touched = nodes.length;

  for (const [index, { dependsOn }] of nodes.entries()) {
    const { state } = at(records, index);
    counts[state]++;
    if (state === "running") running.add(index);
    touched += dependsOn.length;
    for (const id of dependsOn) {
      const parent = positionOf(position, id);
      at(dependents, parent).push(index);
      if (at(records, parent).state !== "succeeded") open[index] = at(open, index) + 1;
    }
  }
  const schedule: Schedule = {
    dag,
    random,
    position,
    dependents,
    open,
    records,
    running,
    counts,
    touched,
    stopping: new Map(),
    ready: createHeap((a, b) => a < b),
    retries: createHeap((a, b) => (a.at === b.at ? a.index < b.index : a.at < b.at)),
    paused: false,
    ending: undefined,
    started: false,
    finished: false,
    announcedWake: undefined,
  };
  refuseMismatch(schedule, restored);
  return schedule;
}

const untouched: NodeRecord = { state: "pending", attempt: 0, retries: 0 };

/** The records do not belong to this graph: going on would start a node before its dependencies. */
class RestoreMismatch extends Error {
  readonly node: string;
  constructor(node: string, problem: string) {
    super(`the recorded run does not fit this graph: ${JSON.stringify(node)} ${problem}`);
    this.name = "RestoreMismatch";
    this.node = node;
  }
}

function refuseMismatch({ dag, position, open, records }: Schedule, restored: ReadonlyMap<string, NodeRecord>): void {
  for (const id of restored.keys()) if (!position.has(id)) throw new RestoreMismatch(id, "is not in it");
  for (const [index, { id }] of dag.nodes.entries()) {
    const { state } = at(records, index);
    if (at(open, index) > 0 && !mayWait.has(state))
      throw new RestoreMismatch(id, `is ${state}, although a dependency has not succeeded`);
  }
}

const mayWait: ReadonlySet<NodeState> = new Set(["pending", "skipped", "cancelled"]);

export type Facts = Partial<Omit<NodeRecord, "state">>;

/** Refuses an illegal move: it would be a defect of the rules, and the journal must not learn it. */
export function move(schedule: Schedule, index: number, to: NodeState, wall: number, changed: Facts): NodeTransition {
  const { state: from, attempt, retries } = at(schedule.records, index);
  const node = nodeAt(schedule, index).id;
  if (!legalMoves[from].includes(to)) throw new Error(`node ${JSON.stringify(node)} cannot go from ${from} to ${to}`);
  const facts = { attempt, retries, ...changed };
  schedule.records[index] = { state: to, ...facts };
  schedule.counts[from]--;
  schedule.counts[to]++;
  schedule.touched++;
  if (to === "running") schedule.running.add(index);
  if (from === "running") {
    schedule.running.delete(index);
    schedule.stopping.delete(index);
  }
  return { node, from, to, at: wall, ...facts };
}

export function nodeAt({ dag }: Schedule, index: number): DagNode {
  return at(dag.nodes, index);
}

/** Undefined unless the node is in this very attempt: what a late attempt reports concerns nobody. */
export function runningAt({ position, records }: Schedule, node: string, attempt: number): number | undefined {
  const index = positionOf(position, node);
  const { state, attempt: latest } = at(records, index);
  return state === "running" && latest === attempt ? index : undefined;
}

export function isComplete({ counts }: Schedule): boolean {
  return counts.pending + counts.queued + counts.running + counts.blocked === 0;
}

export function parentResults({ position, records }: Schedule, { dependsOn }: DagNode): ReadonlyMap<string, unknown> {
  return new Map(dependsOn.map((id) => [id, at(records, positionOf(position, id)).result]));
}

export function recordsOf({ dag, records }: Schedule): ReadonlyMap<string, NodeRecord> {
  return new Map(dag.nodes.map(({ id }, index) => [id, at(records, index)]));
}

/** Nodes touched, edges followed and queue comparisons so far: the cost of all decisions together. */
export function workOf({ touched, ready, retries }: Schedule): number {
  return touched + ready.steps + retries.steps;
}

export function at<Item>(items: readonly Item[], index: number): Item {
  if (index >= items.length) throw new RangeError(`no node at position ${index}`);
  return items[index] as Item;
}

function positionOf(position: ReadonlyMap<string, number>, id: string): number {
  const index = position.get(id);
  if (index === undefined) throw new RangeError(`no node has the id ${JSON.stringify(id)}`);
  return index;
}
