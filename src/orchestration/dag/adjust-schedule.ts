/**
 * Changes the graph of a run while it runs: add, replace, remove.
 *
 *   version as expected? -> all problems reported -> drop old positions, add new ones -> queue nodes that may start
 *
 * A replaced node moves to the end of the plan. Code that folds the journal does the same.
 * Cost: the added nodes with their dependencies, and the dependents of removed nodes. Only a replacement can close a cycle
 * through old nodes, so only it also visits the pending nodes above it. Layered mode computes all layers again.
 */
import { type Adjustment, type DagNode, isDone, isTerminal } from "./dag.ts";
import { adjustmentProblems } from "./adjustment-problems.ts";
import { InvalidDag } from "./dag-problems.ts";
import { DagRefusal } from "./dag-refusal.ts";
import type { AdjustedDag, RequestChange } from "./decision.ts";
import { finalsStarted } from "./final-nodes.ts";
import { move } from "./move-node.ts";
import { addNode, at, dropNode, layOut, linkNode, nodeAt, positionOf, type Schedule } from "./schedule.ts";
import { causeBelow, failForGood, queue, skipDependents, succeed, type Turn } from "./turn.ts";

type Asked = Extract<RequestChange, { readonly type: "adjust-requested" }>;

export function adjust(turn: Turn, { adjustment, expectedVersion }: Asked): AdjustedDag {
  const { version, ending } = turn.schedule;
  if (ending) throw new DagRefusal("run-ending", `the run is ending (${ending.cause}); start a new one`);
  if (version !== expectedVersion) {
    const message = `the graph changed: it is at version ${version}, not ${expectedVersion}; read it again, then adjust that version`;
    throw new DagRefusal("stale-version", message, { currentVersion: version });
  }
  return apply(turn, adjustment);
}

/**
 * Records a node's success and its adjustment as one decision. The graph changes first, so the success makes nodes ready
 * in the new graph. A refused adjustment fails the node.
 */
export function succeedAdjusting(
  turn: Turn,
  index: number,
  result: unknown,
  adjustment: Adjustment,
): AdjustedDag | undefined {
  let adjusted: AdjustedDag;
  try {
    adjusted = apply(turn, adjustment);
  } catch (error) {
    if (!(error instanceof DagRefusal || error instanceof InvalidDag)) throw error;
    failForGood(turn, index, { class: "permanent", message: `its adjustment was refused: ${error.message}` });
    return undefined;
  }
  succeed(turn, index, result);
  return { ...adjusted, by: nodeAt(turn.schedule, index).id };
}

/** Throws before it changes anything. */
function apply(turn: Turn, adjustment: Adjustment): AdjustedDag {
  const { schedule } = turn;
  if (finalsStarted(schedule))
    throw new DagRefusal("run-ending", "a final node has started, so the graph cannot change; start a new run");
  const problems = adjustmentProblems(schedule, adjustment);
  if (problems.length > 0) throw new InvalidDag(problems);

  const { add = [], replace = [], remove = [] } = adjustment;
  for (const id of remove) dropNode(schedule, positionOf(schedule, id));
  const place = (node: DagNode) => {
    const index = addNode(schedule, node);
    schedule.position.set(node.id, index);
    return index;
  };
  const added = add.map(place);
  for (const node of replace) {
    const former = positionOf(schedule, node.id);
    dropNode(schedule, former);
    const index = place(node);
    inheritDependents(schedule, former, index);
    added.push(index);
  }
  for (const index of added) linkNode(schedule, index, parentsOf(schedule, index));
  schedule.version++;
  layOut(schedule);
  for (const index of added) settle(turn, index);
  return { version: schedule.version, adjustment };
}

/** Dependents of the former node now depend on its replacement. */
function inheritDependents(schedule: Schedule, former: number, index: number): void {
  schedule.dependents[index] = at(schedule.dependents, former);
  for (const dependent of at(schedule.dependents, index))
    schedule.parents[dependent] = at(schedule.parents, dependent).map((parent) => (parent === former ? index : parent));
}

function settle(turn: Turn, index: number): void {
  const { schedule, now, transitions } = turn;
  if (schedule.finals.has(index)) return; // final nodes run at the end
  if (at(schedule.records, index).state !== "pending") return; // already skipped with a dependency
  if (at(schedule.open, index) === 0) return queue(turn, index);
  const dead = deadDependency(schedule, index);
  if (dead === undefined) return;
  const cause = causeBelow(schedule, dead);
  transitions.push(move(schedule, index, "skipped", now, { cause }));
  skipDependents(turn, index, cause);
}

function parentsOf(schedule: Schedule, index: number): readonly number[] {
  return nodeAt(schedule, index).dependsOn.map((id) => positionOf(schedule, id));
}

function deadDependency({ parents, records }: Schedule, index: number): number | undefined {
  return at(parents, index).find((parent) => {
    const record = at(records, parent);
    return isTerminal(record.state) && !isDone(record);
  });
}
