/**
 * Schedule: the state that `decide` works on, and the index that makes a decision cheap.
 *
 *   dag + restored records -> open dependency counts, dependents, ready queue, timers, running set
 *
 * It is changed in place and belongs to one runner: a persistent structure would cost a copy per change and nobody
 * looks at an old one, for the journal is the history. Nodes are known by their position; a node that is removed or
 * replaced leaves its position for good, so nothing that points there has to be found.
 * Invariant: `move` (move-node.ts) is the only way to another state; it keeps records, counts and running set in step.
 */
import { createHeap, type Heap } from "./binary-heap.ts";
import {
  type Dag,
  type DagNode,
  type DagPolicy,
  isDone,
  isTerminal,
  type NodeCause,
  type NodeRecord,
  type NodeState,
} from "./dag.ts";
import { type GraphIndex, indexGraph } from "./graph-index.ts";
import { createLayerGate, type LayerGate, passesBefore } from "./layer-gate.ts";

/** Why a running attempt was told to stop; it stays `running` until it has stopped or its grace is over. */
export type StopReason = "timeout" | "interrupt" | "ending";

export type Moment = { readonly wall: number; readonly monotonic: number };

/** A place in a queue. It counts only while the node has this very record; who leaves is not searched for. */
export type Ticket = { readonly index: number; readonly record: NodeRecord };

export type Schedule = {
  readonly policy: DagPolicy;
  readonly roles: ReadonlySet<string> | undefined;
  readonly random: () => number;
  readonly nodes: DagNode[];
  /** Of the nodes that are in the graph now, in order of the plan. */
  readonly position: Map<string, number>;
  readonly parents: (readonly number[])[];
  readonly dependents: number[][];
  /** Dependencies of each node that are not done. */
  readonly open: number[];
  readonly records: NodeRecord[];
  /** With the (monotonic) time of their start. */
  readonly running: Map<number, number>;
  /** The few that run, by id: looked up far more often than any other. */
  readonly runningIds: Map<string, number>;
  readonly stopping: Map<number, StopReason>;
  /** Queued nodes that may start, in order of the plan. */
  readonly ready: Heap<Ticket>;
  /** Queued nodes that wait for a time (monotonic), and blocked ones whose default answer comes. */
  readonly timers: Heap<Ticket & { readonly at: number }>;
  readonly counts: Record<NodeState, number>;
  /** How long successful attempts took, by role. */
  readonly durations: Map<string, { samples: number; totalMs: number }>;
  /** In layered mode only. */
  gate: LayerGate | undefined;
  version: number;
  edges: number;
  paused: boolean;
  /** Set once nothing more may start; what is unfinished ends cancelled with this cause. */
  ending: Ending | undefined;
  started: boolean;
  finished: boolean;
  announcedWake: number | undefined;
  /** Nodes and edges touched so far; see `workOf`. */
  touched: number;
};

export type Ending = { readonly cause: NodeCause; readonly reason?: string };

type Options = {
  readonly restored?: ReadonlyMap<string, NodeRecord> | undefined;
  readonly roles?: ReadonlySet<string> | undefined;
  readonly version?: number | undefined;
  readonly random: () => number;
  /** Of this very graph, if it is known already; the schedule keeps it. */
  readonly index?: GraphIndex;
};

/** Expects a graph that `validateDag` accepted. */
export function createSchedule(
  dag: Dag,
  { restored = new Map(), roles, version = 1, random, index }: Options,
): Schedule {
  const { position, parents } = index ?? indexGraph(dag.nodes);
  const schedule = emptySchedule(dag.policy, { roles, version, random, position });
  for (const node of dag.nodes) addNode(schedule, node, restored.get(node.id) ?? untouched);
  for (const [index, above] of parents.entries()) linkNode(schedule, index, above);
  layOut(schedule);
  refuseMismatch(schedule, restored);
  return schedule;
}

type Terms = Pick<Schedule, "roles" | "version" | "random" | "position">;

function emptySchedule(policy: DagPolicy, { roles, version, random, position }: Terms): Schedule {
  const schedule: Schedule = {
    policy,
    roles,
    random,
    nodes: [],
    position,
    parents: [],
    dependents: [],
    open: [],
    records: [],
    running: new Map(),
    runningIds: new Map(),
    stopping: new Map(),
    ready: createHeap((a, b) => passesBefore(schedule.gate, a.index, b.index)),
    timers: createHeap((a, b) => (a.at === b.at ? a.index < b.index : a.at < b.at)),
    counts: { pending: 0, queued: 0, running: 0, succeeded: 0, failed: 0, blocked: 0, skipped: 0, cancelled: 0 },
    durations: new Map(),
    gate: undefined,
    version,
    edges: 0,
    paused: false,
    ending: undefined,
    started: false,
    finished: false,
    announcedWake: undefined,
    touched: 0,
  };
  return schedule;
}

const untouched: NodeRecord = { state: "pending", attempt: 0, retries: 0 };

/** At the end of the plan; `linkNode` ties it to its dependencies once they are all there. */
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
  return index;
}

const noParents: readonly number[] = [];

export function linkNode(schedule: Schedule, index: number, parents: readonly number[]): void {
  schedule.touched += parents.length;
  schedule.edges += parents.length;
  schedule.parents[index] = parents;
  let open = 0;
  for (const parent of parents) {
    at(schedule.dependents, parent).push(index);
    if (!isDone(at(schedule.records, parent))) open++;
  }
  schedule.open[index] = open;
}

/** What stands at a position that its node has left. */
const gone: NodeRecord = { state: "cancelled", attempt: 0, retries: 0 };

export function dropNode(schedule: Schedule, index: number): void {
  schedule.counts[at(schedule.records, index).state]--;
  schedule.records[index] = gone;
  schedule.position.delete(at(schedule.nodes, index).id);
  schedule.edges -= at(schedule.parents, index).length;
  schedule.touched++;
}

export function isGone({ records }: Schedule, index: number): boolean {
  return records[index] === gone;
}

/** Again after every adjustment. */
export function layOut(schedule: Schedule): void {
  const { policy, position, records } = schedule;
  if (policy.mode !== "layered") return;
  const hasEnded = (index: number) => isTerminal(at(records, index).state);
  schedule.gate = createLayerGate({ nodes: currentNodes(schedule), position, hasEnded });
}

export function currentNodes({ nodes, position }: Schedule): readonly DagNode[] {
  return [...position.values()].map((index) => at(nodes, index));
}

/** The records do not belong to this graph: going on would start a node before its dependencies. */
class RestoreMismatch extends Error {
  readonly node: string;
  constructor(node: string, problem: string) {
    super(`the recorded run does not fit this graph: ${JSON.stringify(node)} ${problem}`);
    this.name = "RestoreMismatch";
    this.node = node;
  }
}

function refuseMismatch({ position, open, records }: Schedule, restored: ReadonlyMap<string, NodeRecord>): void {
  for (const id of restored.keys()) if (!position.has(id)) throw new RestoreMismatch(id, "is not in it");
  for (const [id, index] of position) {
    const { state } = at(records, index);
    if (at(open, index) > 0 && !mayWait.has(state))
      throw new RestoreMismatch(id, `is ${state}, although a dependency has not succeeded`);
  }
}

const mayWait: ReadonlySet<NodeState> = new Set(["pending", "skipped", "cancelled"]);

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
