/** The status of a run: progress, remaining time, and its graph with all adjustments. */
import { type DagNode, type DagPolicy, isTerminal, type NodeRecord, type NodeState } from "./dag.ts";
import { type DagEdge, dagEdges, dagLayers } from "./dag-layers.ts";
import { estimateRemaining } from "./estimate-remaining.ts";
import { recordsOf } from "./move-node.ts";
import { currentNodes, type Moment, type Schedule } from "./schedule.ts";

export type DagStatus = {
  /** Waiting: every open node needs an answer, or depends on one that does. */
  readonly phase: "running" | "waiting" | "paused" | "ending" | "finished";
  /** The version of the graph. Each adjustment increases it. */
  readonly version: number;
  readonly nodes: ReadonlyMap<string, NodeRecord>;
  readonly counts: Readonly<Record<NodeState, number>>;
  /** The fraction of nodes that have ended, from 0 to 1. */
  readonly progress: number;
  readonly etaMs: number | "unknown";
};

export type DagPlan = {
  readonly version: number;
  readonly nodes: readonly DagNode[];
  readonly edges: readonly DagEdge[];
  /** The execution order: the nodes of a layer depend on earlier layers only. */
  readonly layers: readonly (readonly string[])[];
  readonly policy: DagPolicy;
};

export function statusOf(schedule: Schedule, now: Moment): DagStatus {
  const { counts, version } = schedule;
  const states = Object.entries(counts) as [NodeState, number][];
  const ended = states.reduce((sum, [state, count]) => sum + (isTerminal(state) ? count : 0), 0);
  return {
    phase: phaseOf(schedule),
    version,
    nodes: recordsOf(schedule),
    counts: { ...counts },
    progress: ended / schedule.position.size,
    etaMs: estimateRemaining(schedule, now),
  };
}

function phaseOf({ finished, ending, paused, counts }: Schedule): DagStatus["phase"] {
  if (finished) return "finished";
  if (ending) return "ending";
  if (paused) return "paused";
  return counts.blocked > 0 && counts.running + counts.queued === 0 ? "waiting" : "running";
}

export function planOf(schedule: Schedule): DagPlan {
  const nodes = currentNodes(schedule);
  const { version, policy } = schedule;
  return { version, nodes, edges: dagEdges(nodes), layers: dagLayers(nodes), policy };
}
