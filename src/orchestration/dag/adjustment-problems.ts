/** Finds all problems of an adjustment before any part of it is applied. */
import { cycleProblems, dependencyProblems, indexGraph, quoted } from "../../platform/dependencies/index.ts";
import type { Adjustment, DagNode, NodeState } from "./dag.ts";
import {
  type DagProblem,
  dependenciesOf,
  finalProblems,
  idProblems,
  roleProblems,
  sizeProblems,
  timingProblems,
} from "./dag-problems.ts";
import { at, isGone, nodeAt, positionOf, type Schedule } from "./schedule.ts";

export function adjustmentProblems(schedule: Schedule, adjustment: Adjustment): readonly DagProblem[] {
  const { add = [], replace = [], remove = [] } = adjustment;
  const coming = [...add, ...replace];
  const removed = new Set(remove);
  const comingIds = new Set(coming.map(({ id }) => id));
  const comingFinals = new Map(coming.map(({ id, final = false }) => [id, final]));
  const isKnown = (id: string) => comingIds.has(id) || (schedule.position.has(id) && !removed.has(id));
  const leaving = [...new Set([...remove, ...replace.map(({ id }) => id)])];
  const concerned = replace.length === 0 ? coming : [...coming, ...findNodesAbove(schedule, coming, new Set(leaving))];
  const named = leaving.flatMap((id) => leavingProblems(schedule, id));
  return [
    ...named,
    ...add.flatMap(({ id }) => takenProblems(schedule, id)),
    ...[...removed].filter((id) => comingIds.has(id)).map(bothProblem),
    ...(removed.size < remove.length ? [repeatedProblem(remove)] : []),
    ...(named.length > 0 ? [] : sizeProblems(sizesAfter(schedule, coming, leaving))),
    ...coming.flatMap(timingProblems),
    ...idProblems(coming, indexGraph(coming)),
    ...roleProblems(coming, schedule.roles),
    ...dependencyProblems(coming, isKnown),
    ...finalProblems(coming, (id) => comingFinals.get(id) ?? isFinalNow(schedule, id)),
    ...replace.flatMap((node) => kindProblems(schedule, node)),
    ...[...removed].flatMap((id) => strandedProblems(schedule, id, new Set(leaving))),
    ...cycleProblems(concerned, indexGraph(concerned)),
  ];
}

function leavingProblems(schedule: Schedule, id: string): DagProblem[] {
  const index = schedule.position.get(id);
  if (index === undefined)
    return [{ type: "unknown-node", message: `${quoted(id)} is not in the graph; leave it out`, nodes: [id] }];
  const { state, attempt } = at(schedule.records, index);
  if (attempt === 0 && changeable.has(state)) return [];
  const begun = attempt === 0 ? `is ${state}` : `has started and is ${state}`;
  const message = `${quoted(id)} ${begun}; only a node that has not started can be changed, so add a new node`;
  return [{ type: "started", message, nodes: [id] }];
}

const changeable: ReadonlySet<NodeState> = new Set(["pending", "queued", "blocked"]);

function takenProblems({ position }: Schedule, id: string): DagProblem[] {
  if (!position.has(id)) return [];
  const message = `the id ${quoted(id)} is taken; replace it, or choose another id`;
  return [{ type: "duplicate-id", message, nodes: [id] }];
}

function isFinalNow(schedule: Schedule, id: string): boolean {
  const index = schedule.position.get(id);
  return index !== undefined && schedule.finals.has(index);
}

/** Refuses to turn a final node into an ordinary one, or the reverse: its dependents rely on its kind. */
function kindProblems(schedule: Schedule, { id, final = false }: DagNode): DagProblem[] {
  if (!schedule.position.has(id) || isFinalNow(schedule, id) === final) return [];
  const [now, wanted] = final ? ["an ordinary", "a final"] : ["a final", "an ordinary"];
  const message = `${quoted(id)} is ${now} node and cannot become ${wanted} one; add another node`;
  return [{ type: "final", message, nodes: [id] }];
}

function repeatedProblem(remove: readonly string[]): DagProblem {
  const seen = new Set<string>();
  const repeated = [...new Set(remove.filter((id) => seen.size === seen.add(id).size))];
  const message = `${repeated.map(quoted).join(", ")}: listed more than once under remove; list each node once`;
  return { type: "duplicate-id", message, nodes: repeated };
}

function bothProblem(id: string): DagProblem {
  return { type: "duplicate-id", message: `${quoted(id)} is removed and added; replace it instead`, nodes: [id] };
}

function sizesAfter(schedule: Schedule, coming: readonly DagNode[], leaving: readonly string[]) {
  const left = leaving.map((id) => nodeAt(schedule, positionOf(schedule, id)));
  return {
    nodes: schedule.position.size + coming.length - left.length,
    dependencies: schedule.edges + dependenciesOf(coming) - dependenciesOf(left),
  };
}

/** A remaining node must not depend on a removed one. */
function strandedProblems(schedule: Schedule, id: string, leaving: ReadonlySet<string>): DagProblem[] {
  const index = schedule.position.get(id);
  if (index === undefined) return [];
  schedule.touched += at(schedule.dependents, index).length;
  const staying = at(schedule.dependents, index)
    .filter((dependent) => !isGone(schedule, dependent))
    .map((dependent) => nodeAt(schedule, dependent).id)
    .filter((dependent) => !leaving.has(dependent));
  return [...new Set(staying)].map((dependent) => ({
    type: "unknown-dependency",
    message: `${quoted(dependent)} depends on ${quoted(id)}, which would be removed; remove or replace ${quoted(dependent)}, too`,
    nodes: [dependent, id],
  }));
}

/** The remaining nodes above the new ones that have open dependencies. A new cycle can lead only through them. */
function findNodesAbove(
  schedule: Schedule,
  coming: readonly DagNode[],
  leaving: ReadonlySet<string>,
): readonly DagNode[] {
  const found = new Map<string, DagNode>();
  const reached = [...coming];
  for (let node = reached.pop(); node !== undefined; node = reached.pop()) {
    schedule.touched += node.dependsOn.length;
    for (const id of node.dependsOn) {
      const index = schedule.position.get(id);
      if (index === undefined || leaving.has(id) || found.has(id) || at(schedule.open, index) === 0) continue;
      const parent = nodeAt(schedule, index);
      found.set(id, parent);
      reached.push(parent);
    }
  }
  return [...found.values()];
}
