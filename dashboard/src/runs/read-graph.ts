/** One shape for runs and graphs: the views draw it and need not know which of the two they show. */
import type { Dag, Run } from "../daemon/contract.ts";

export type GraphNode = {
  /** Stands in addresses and is what commands take. */
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly role: string;
  /** The prompt or the command. */
  readonly text: string;
  readonly dependsOn: readonly string[];
  /** Of a run or graph as the daemon says it; of a work item its column. */
  readonly state: string;
  readonly attempt: number;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly retryAt?: number | undefined;
};
export type Graph = {
  readonly id: string;
  readonly kind: "run" | "dag";
  readonly name: string;
  readonly status: string;
  readonly version: number;
  /** Cursor before its first event. */
  readonly since: number;
  readonly nodes: readonly GraphNode[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly hasEnded: boolean;
};

const ended: ReadonlySet<string> = new Set(["verified", "unverified", "failed", "cancelled", "succeeded"]);

export function hasEnded(status: string): boolean {
  return ended.has(status);
}

export function readRun({ id, request, version, since, nodes, status, createdAt, updatedAt }: Run): Graph {
  return {
    id,
    kind: "run",
    name: request,
    status,
    version,
    since,
    nodes: nodes.map((node) => ({ ...node, dependsOn: dependenciesOf(node, nodes), text: node.prompt })),
    createdAt,
    updatedAt,
    hasEnded: hasEnded(status),
  };
}

/** The conclusion names no dependencies: it runs after every other node, so it depends on those that end the graph. */
function dependenciesOf(node: Run["nodes"][number], nodes: Run["nodes"]): readonly string[] {
  if (node.kind !== "conclude") return node.dependsOn;
  const needed = new Set(nodes.flatMap(({ dependsOn }) => dependsOn));
  return nodes.filter(({ id }) => id !== node.id && !needed.has(id)).map(({ id }) => id);
}

export function readDag({ id, name, version, since, nodes, status, createdAt, updatedAt }: Dag): Graph {
  return {
    id,
    kind: "dag",
    name,
    status,
    version,
    since,
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
