/**
 * Requests for single nodes of a run: retry, skip, unblock.
 *
 *   retry: failed | cancelled | skipped -> queued, with the dependents that were skipped because of it
 *   skip:  pending | queued | blocked | failed -> skipped; its dependents are skipped, too, or run without its result
 *
 * A retry reopens an ended run as a whole: all nodes that the ending had cancelled return, and the final nodes run again.
 * A retry of a final node runs only that node, also after success.
 * Invariant: a crash may cut the moves anywhere. Before the last move of a retry, the records still show the run as ended,
 * so a crash loses only the request.
 */
import { suggestion } from "../../platform/nearest-name.ts";
import { isDone, isTerminal, type NodeState } from "./dag.ts";
import { DagRefusal } from "./dag-refusal.ts";
import type { RequestChange } from "./decision.ts";
import { finalsUnderWay } from "./final-nodes.ts";
import { type Facts, moveOnRequest } from "./move-node.ts";
import { at, nodeAt, type Schedule } from "./schedule.ts";
import { answer, causeBelow, queue, releaseDependents, skipDependents, type Turn } from "./turn.ts";

type Asked<Type extends RequestChange["type"]> = Extract<RequestChange, { readonly type: Type }>;

export function retry(turn: Turn, node: string): void {
  const { schedule } = turn;
  const root = findNode(schedule, node);
  const isFinal = schedule.finals.has(root);
  if (!isFinal) refuseEnding(schedule, "retry it once the run has ended");
  const { state, treatedAsDone } = at(schedule.records, root);
  if (state === "succeeded" && !isFinal) throw wrongState(node, "has succeeded; add a new node to do its work again");
  if (!isTerminal(state)) throw wrongState(node, `is ${state}; only a node that has ended can be retried`);
  if (treatedAsDone)
    throw wrongState(node, "was skipped as done, and other nodes continued without it; add a new node instead");
  if (isFinal) return reopenNode(turn, root);
  const chosen = findReopenable(schedule, root);
  const obstacle = obstacleOf(schedule, root, chosen);
  if (obstacle !== undefined) {
    const { id } = nodeAt(schedule, obstacle);
    throw wrongState(
      node,
      `depends on ${JSON.stringify(id)}, which is ${at(schedule.records, obstacle).state}; retry that`,
    );
  }
  for (const index of endedFinals(schedule)) reopenNode(turn, index);
  reopenNodes(turn, root, chosen);
}

/** Final nodes return first. A crash after that repeats them, and loses nothing. */
function endedFinals({ finals, records }: Schedule): readonly number[] {
  return [...finals].filter((index) => {
    const { state, cause } = at(records, index);
    return isTerminal(state) && cause !== "skip-requested";
  });
}

/** Nodes that are already open again, by an earlier node of the list or before a crash, need no retry. */
export function retryAll(turn: Turn, nodes: readonly string[]): void {
  const { schedule } = turn;
  for (const node of nodes) if (isTerminal(at(schedule.records, findNode(schedule, node)).state)) retry(turn, node);
}

export function skip(turn: Turn, { node, reason, treatAsDone }: Asked<"skip-requested">): void {
  const { schedule, now, transitions } = turn;
  const index = findNode(schedule, node);
  if (!schedule.finals.has(index)) refuseEnding(schedule, "no further node starts");
  const { state } = at(schedule.records, index);
  if (!skippable.has(state)) throw wrongState(node, `is ${state}; only a waiting or failed node can be skipped`);
  const revived = treatAsDone && state === "failed" ? findReopenable(schedule, index) : new Set<number>();
  for (const below of revived) if (below !== index) reopenNode(turn, below);
  const facts: Facts = { cause: "skip-requested", reason };
  const done: Facts = treatAsDone ? { treatedAsDone: true } : {};
  transitions.push(moveOnRequest(schedule, index, "skipped", now, { ...facts, ...done }));
  if (treatAsDone) releaseDependents(turn, index);
  else skipDependents(turn, index, causeBelow(schedule, index));
}

const skippable: ReadonlySet<NodeState> = new Set(["pending", "queued", "blocked", "failed"]);

export function unblock(turn: Turn, { node, answer: given }: Asked<"unblock-requested">): void {
  const index = findNode(turn.schedule, node);
  const { state } = at(turn.schedule.records, index);
  if (state !== "blocked") throw wrongState(node, `is ${state}; only a blocked node can be answered`);
  answer(turn, index, given, "answered");
}

function findNode({ position }: Schedule, node: string): number {
  const index = position.get(node);
  if (index !== undefined) return index;
  const near = suggestion(node, position.size <= 1_000 ? [...position.keys()] : []);
  throw new DagRefusal("unknown-node", `no node of this graph has the id ${JSON.stringify(node)}${near}`, { node });
}

function refuseEnding(schedule: Schedule, wayOut: string): void {
  const { ending } = schedule;
  if (ending) throw new DagRefusal("run-ending", `the run is ending (${ending.cause}); ${wayOut}`);
  if (finalsUnderWay(schedule))
    throw new DagRefusal("run-ending", `the run is ending (its final nodes run); ${wayOut}`);
}

function wrongState(node: string, problem: string): DagRefusal {
  return new DagRefusal("wrong-state", `${JSON.stringify(node)} ${problem}`, { node });
}

/** The node, dependents skipped because of it, and nodes that the ending cancelled; except those held back by another node. */
function findReopenable(schedule: Schedule, root: number): ReadonlySet<number> {
  const chosen = new Set([root]);
  if (schedule.counts.cancelled > 0)
    for (const index of schedule.position.values())
      if (at(schedule.records, index).state === "cancelled" && !schedule.finals.has(index)) chosen.add(index);
  const reached = [...chosen];
  const seen = new Set(chosen);
  for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
    for (const dependent of at(schedule.dependents, index)) {
      schedule.touched++;
      if (seen.has(dependent) || schedule.finals.has(dependent)) continue;
      seen.add(dependent);
      const ended = endedWithOthers(schedule, dependent);
      if (ended) chosen.add(dependent);
      // A crash during an earlier retry can leave a pending node below an ended one.
      if (ended || at(schedule.records, dependent).state === "pending") reached.push(dependent);
    }
  }
  return withoutHeldBack(schedule, root, chosen);
}

function endedWithOthers({ records }: Schedule, index: number): boolean {
  const { state, cause } = at(records, index);
  return state === "skipped" && cause !== "skip-requested";
}

function withoutHeldBack(schedule: Schedule, root: number, chosen: Set<number>): ReadonlySet<number> {
  const suspects = [...chosen];
  for (let index = suspects.pop(); index !== undefined; index = suspects.pop()) {
    if (index === root || !chosen.has(index) || obstacleOf(schedule, index, chosen) === undefined) continue;
    chosen.delete(index);
    for (const dependent of at(schedule.dependents, index)) suspects.push(dependent);
  }
  return chosen;
}

/** A dependency that ended without success and is not retried. */
function obstacleOf(schedule: Schedule, index: number, chosen: ReadonlySet<number>): number | undefined {
  const parents = at(schedule.parents, index);
  schedule.touched += parents.length;
  return parents.find((parent) => {
    const record = at(schedule.records, parent);
    return isTerminal(record.state) && !isDone(record) && !chosen.has(parent);
  });
}

function reopenNodes(turn: Turn, root: number, chosen: ReadonlySet<number>): void {
  const { schedule } = turn;
  const isCancelled = (index: number) => at(schedule.records, index).cause === "cancel-requested";
  // While one cancelled node is left, or the failed one, a restored run would end as before.
  const others = [...chosen].filter((index) => index !== root);
  const order = isCancelled(root)
    ? [...others, root]
    : [...others.filter((index) => !isCancelled(index)), root, ...others.filter(isCancelled)];
  for (const index of order) reopenNode(turn, index);
  for (const index of order) if (at(schedule.open, index) === 0) queue(turn, index, { cause: "retry-requested" });
}

function reopenNode({ schedule, now, transitions }: Turn, index: number): void {
  transitions.push(moveOnRequest(schedule, index, "pending", now, { cause: "retry-requested", retries: 0 }));
}
