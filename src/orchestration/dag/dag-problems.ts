/** The single checks of a graph. `validateDag` and `adjustmentProblems` share them. */
import { type DependencyProblem, type GraphIndex, quoted } from "../../platform/dependencies/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { DagNode, DagPolicy, RetryPolicy } from "./dag.ts";

export type DagProblem = {
  readonly type:
    | "empty-graph"
    | "size"
    | "policy"
    | "empty-id"
    | "duplicate-id"
    | "unknown-role"
    | DependencyProblem["type"]
    /** An ordinary node depends on a final one, or an adjustment changes a node from one kind to the other. */
    | "final"
    /** Only in adjustments: a node is missing, or has started. */
    | "unknown-node"
    | "started";
  /** Names the node and how to correct it. */
  readonly message: string;
  /** The affected nodes. For a cycle: its path, with the first node repeated at the end. */
  readonly nodes: readonly string[];
};

/** Far above any sensible plan. A plan beyond these limits is a planner's mistake. */
export const dagLimits = {
  nodes: 100_000,
  dependencies: 1_000_000,
  idLength: 200,
  concurrency: 1_000,
  retries: 100,
  backoffMs: 3_600_000,
  timeoutMs: 7 * 86_400_000,
} as const;

const MOST_NAMED = 10;

export class InvalidDag extends Error {
  readonly problems: readonly DagProblem[];
  constructor(problems: readonly DagProblem[]) {
    const named = problems.slice(0, MOST_NAMED).map(({ message }) => message);
    const rest = problems.length > MOST_NAMED ? `; and ${problems.length - MOST_NAMED} more` : "";
    super(`the graph cannot run: ${named.join("; ")}${rest}`);
    this.name = "InvalidDag";
    this.problems = problems;
  }
}

type Sizes = { readonly nodes: number; readonly dependencies: number };

export function* sizeProblems({ nodes, dependencies }: Sizes): Generator<DagProblem> {
  const size = (what: string, used: number, limit: number): DagProblem => ({
    type: "size",
    message: `the graph has ${used} ${what}, and the limit is ${limit}; split the plan`,
    nodes: [],
  });
  if (nodes === 0) yield { type: "empty-graph", message: "the graph has no nodes; plan at least one", nodes: [] };
  if (nodes > dagLimits.nodes) yield size("nodes", nodes, dagLimits.nodes);
  if (dependencies > dagLimits.dependencies) yield size("dependencies", dependencies, dagLimits.dependencies);
}

export function dependenciesOf(nodes: readonly DagNode[]): number {
  return nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
}

export function policyProblems({ maxConcurrency, defaultRetry, defaultTimeoutMs }: DagPolicy): DagProblem[] {
  return [
    ...outside("maxConcurrency", maxConcurrency, 1, dagLimits.concurrency),
    ...retryProblems("defaultRetry", defaultRetry),
    ...outside("defaultTimeoutMs", defaultTimeoutMs, 1, dagLimits.timeoutMs),
  ].map((message) => ({ type: "policy", message, nodes: [] }));
}

export function timingProblems({ id, timeoutMs, retry }: DagNode): DagProblem[] {
  if (timeoutMs === undefined && retry === undefined) return [];
  return [
    ...(timeoutMs === undefined ? [] : outside(`timeoutMs of ${quoted(id)}`, timeoutMs, 1, dagLimits.timeoutMs)),
    ...(retry === undefined ? [] : retryProblems(`retry of ${quoted(id)}`, retry)),
  ].map((message) => ({ type: "policy", message, nodes: [id] }));
}

function retryProblems(what: string, { max, backoffMs }: RetryPolicy): string[] {
  return [
    ...outside(`max of ${what}`, max, 0, dagLimits.retries),
    ...outside(`backoffMs of ${what}`, backoffMs, 0, dagLimits.backoffMs),
  ];
}

function outside(what: string, value: number, least: number, most: number): string[] {
  const inside = Number.isInteger(value) && value >= least && value <= most;
  return inside ? [] : [`${what} is ${value}; it must be a whole number from ${least} to ${most}`];
}

export function* idProblems(nodes: readonly DagNode[], { position }: GraphIndex): Generator<DagProblem> {
  for (const [index, { id }] of nodes.entries()) {
    if (id === "") yield { type: "empty-id", message: `node number ${index + 1} has no id; give it one`, nodes: [id] };
    if (id.length > dagLimits.idLength) {
      const message = `the id ${quoted(id)} has ${id.length} characters; use at most ${dagLimits.idLength}`;
      yield { type: "size", message, nodes: [id] };
    }
  }
  if (position.size === nodes.length) return;
  const uses = new Map<string, number>();
  for (const { id } of nodes) uses.set(id, (uses.get(id) ?? 0) + 1);
  for (const [id, count] of uses) {
    const message = `${count} nodes have the id ${quoted(id)}; ids must differ`;
    if (count > 1) yield { type: "duplicate-id", message, nodes: [id] };
  }
}

export function* roleProblems(
  nodes: readonly DagNode[],
  roles: ReadonlySet<string> | undefined,
): Generator<DagProblem> {
  if (!roles) return;
  const known = [...roles].sort();
  for (const { id, role } of nodes) {
    if (roles.has(role)) continue;
    const message = `${quoted(id)} has the unknown role ${quoted(role)}${suggestion(role, known)} (known: ${known.join(", ")})`;
    yield { type: "unknown-role", message, nodes: [id] };
  }
}

export function* finalProblems(nodes: readonly DagNode[], isFinal: (id: string) => boolean): Generator<DagProblem> {
  for (const { id, final, dependsOn } of nodes) {
    if (final) continue;
    for (const other of new Set(dependsOn.filter(isFinal))) {
      const message = `${quoted(id)} depends on the final node ${quoted(other)}, which runs after it; make ${quoted(id)} final as well, or remove the dependency`;
      yield { type: "final", message, nodes: [id, other] };
    }
  }
}
