/** Creates the schedule of a graph: fresh, or from the records of an earlier process. */
import { createHeap } from "./binary-heap.ts";
import type { Dag, DagPolicy, NodeRecord, NodeState } from "./dag.ts";
import { type GraphIndex, indexGraph } from "../../platform/dependencies/index.ts";
import { isUnderWay, ordinaryEnded } from "./final-nodes.ts";
import { passesBefore } from "./layer-gate.ts";
import { addNode, addSample, at, layOut, linkNode, positionOf, type Schedule } from "./schedule.ts";

type Options = {
  readonly restored?: ReadonlyMap<string, NodeRecord> | undefined;
  /** How long restored nodes that succeeded took, in milliseconds. */
  readonly took?: ReadonlyMap<string, number> | undefined;
  readonly roles?: ReadonlySet<string> | undefined;
  readonly version?: number | undefined;
  readonly random: () => number;
  /** The index of this graph, if the caller already has one. The schedule keeps it. */
  readonly index?: GraphIndex;
};

/** Expects a graph that `validateDag` accepted. */
export function createSchedule(
  dag: Dag,
  { restored = new Map(), took = new Map(), roles, version = 1, random, index }: Options,
): Schedule {
  const { position, parents } = index ?? indexGraph(dag.nodes);
  const schedule = emptySchedule(dag.policy, { roles, version, random, position });
  for (const node of dag.nodes) addNode(schedule, node, restored.get(node.id));
  for (const [index, above] of parents.entries()) linkNode(schedule, index, above);
  layOut(schedule);
  refuseMismatch(schedule, restored);
  for (const [id, ms] of took) addSample(schedule, positionOf(schedule, id), ms);
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
    finals: new Set(),
    freedFinals: [],
    unendedFinals: 0,
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

/** The records belong to another graph. To continue would start a node before its dependencies. */
class RestoreMismatch extends Error {
  readonly node: string;
  constructor(node: string, problem: string) {
    super(`the records of this run do not match its graph: ${JSON.stringify(node)} ${problem}`);
    this.name = "RestoreMismatch";
    this.node = node;
  }
}

function refuseMismatch(schedule: Schedule, restored: ReadonlyMap<string, NodeRecord>): void {
  const { position, open, records, finals } = schedule;
  for (const id of restored.keys()) if (!position.has(id)) throw new RestoreMismatch(id, "is not in it");
  for (const [id, index] of position) {
    const { state } = at(records, index);
    if (finals.has(index)) {
      if (isUnderWay(state) && !ordinaryEnded(schedule))
        throw new RestoreMismatch(id, `is ${state}, although an ordinary node has not ended`);
    } else if (at(open, index) > 0 && !mayWait.has(state))
      throw new RestoreMismatch(id, `is ${state}, although a dependency has not succeeded`);
  }
}

const mayWait: ReadonlySet<NodeState> = new Set(["pending", "skipped", "cancelled"]);
