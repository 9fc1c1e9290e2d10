/** One shape for runs and graphs: the views draw it and need not know which of the two they show. */
import type { Dag, NodeState, Run } from "../daemon/contract.ts";

export type GraphNode = {
  /** Stands in addresses and is what commands take. */
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly role: string;
  /** The prompt or the command. */
  readonly text: string;
  readonly dependsOn: readonly string[];
  readonly state: NodeState;
  readonly attempt: number;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly retryAt?: number | undefined;
};
export type Graph = {
  readonly id: string;
  readonly kind: "run" | "dag";
  readonly version: number;
  readonly nodes: readonly GraphNode[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly hasEnded: boolean;
};

const ended: ReadonlySet<string> = new Set(["verified", "unverified", "failed", "cancelled", "succeeded"]);

export function hasEnded(status: string): boolean {
  return ended.has(status);
}

export function readRun({ id, version, nodes, status, createdAt, updatedAt }: Run): Graph {
  return {
    id,
    kind: "run",
    version,
    nodes: nodes.map((node) => ({ ...node, text: node.prompt })),
    createdAt,
    updatedAt,
    hasEnded: hasEnded(status),
  };
}

export function readDag({ id, version, nodes, status, createdAt, updatedAt }: Dag): Graph {
  return {
    id,
    kind: "dag",
    version,
    nodes: nodes.map((node) => ({ ...node, id: node.name, title: node.name })),
    createdAt,
    updatedAt,
    hasEnded: hasEnded(status),
  };
}

/** How long its last attempt took, or takes so far; undefined before it started. */
export function timeOf({ startedAt, endedAt, state }: GraphNode, now: number): number | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt !== undefined) return Math.max(0, endedAt - startedAt);
  return state === "running" || state === "blocked" ? Math.max(0, now - startedAt) : undefined;
}

/** A blocked node of a run waits for a decision; a pending one has not been started. */
export function hasNotStarted({ state, attempt }: Pick<GraphNode, "state" | "attempt">): boolean {
  return attempt === 0 && (state === "pending" || state === "queued" || state === "blocked");
}
