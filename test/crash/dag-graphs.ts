/** Random graphs whose end is known in advance: parallel and nested, with retries, approvals, failures and adjustments. */
import type { NodeTerms } from "../../src/orchestration/graphs/testkit.ts";
import type { Random } from "./random.ts";

export type CrashGraph = {
  readonly nodes: NodeTerms;
  /** How often each node fails before it succeeds; Infinity: always. */
  readonly failures: Readonly<Record<string, number>>;
  /** Approvals that are refused. */
  readonly rejected: readonly string[];
  /** Added while it runs, as version 2. */
  readonly added: NodeTerms | undefined;
  readonly maxConcurrency: number;
  readonly expected: Readonly<Record<string, "succeeded" | "failed" | "skipped">>;
};

const mostRetries = 2;

export function randomGraph(random: Random): CrashGraph {
  const size = random.between(4, 9);
  const nodes: Record<string, NodeTerms[string]> = {};
  const failures: Record<string, number> = {};
  const rejected: string[] = [];
  for (let at = 0; at < size; at++) {
    const name = `n${at}`;
    const parents = Object.keys(nodes).filter(() => random.next() < 0.35);
    const approve = random.next() < 0.15;
    nodes[name] = node(parents.slice(-4), approve);
    failures[name] =
      random.next() < 0.1 ? Number.POSITIVE_INFINITY : random.next() < 0.25 ? random.between(1, mostRetries) : 0;
    if (approve && random.next() < 0.3) rejected.push(name);
  }
  const added = random.next() < 0.3 ? { extra: node([random.oneOf(Object.keys(nodes))], false) } : undefined;
  const all = { ...nodes, ...added };
  const expected = endOf(all, { failures, rejected });
  return { nodes, failures, rejected, added, maxConcurrency: random.between(1, 4), expected };
}

function node(dependsOn: readonly string[], approve: boolean): NodeTerms[string] {
  return { run: ["effect"], dependsOn: [...dependsOn], approve, retry: { max: mostRetries, backoffMs: 1 } };
}

/** Only what depends on a failure is passed over: the end does not depend on who was faster. */
function endOf(
  nodes: NodeTerms,
  { failures, rejected }: Pick<CrashGraph, "failures" | "rejected">,
): CrashGraph["expected"] {
  const ends: Record<string, "succeeded" | "failed" | "skipped"> = {};
  for (const [name, { dependsOn = [] }] of Object.entries(nodes)) {
    const held = dependsOn.some((parent) => ends[parent] !== "succeeded");
    const fails = rejected.includes(name) || (failures[name] ?? 0) > mostRetries;
    ends[name] = held ? "skipped" : fails ? "failed" : "succeeded";
  }
  return ends;
}
