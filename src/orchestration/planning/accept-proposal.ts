/** A proposal becomes a plan: validated as a graph, its keys replaced by ids. Every problem is told at once. */
import type { NodeId, Plan } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { type DagPolicy, validateDag } from "../dag/index.ts";
import type { PlanProposal } from "./proposal.ts";

/** Roles a node may name; others act around the graph, not in it. */
const plannableRoles: ReadonlySet<string> = new Set(["engineer"]);

/** How the nodes of a run are executed. */
export const runPolicy: DagPolicy = {
  maxConcurrency: 8,
  failFast: false,
  defaultRetry: { max: 2, backoffMs: 1_000 },
  defaultTimeoutMs: 15 * 60_000,
};

export type Acceptance = { readonly plan: Plan } | { readonly problems: readonly string[] };

export function acceptProposal({ summary, nodes, existing = [] }: PlanProposal, ids: IdSource): Acceptance {
  const validation = validateDag(
    { nodes: nodes.map(({ key, ...node }) => ({ ...node, id: key })), policy: runPolicy },
    { roles: plannableRoles },
  );
  if (!validation.valid) return { problems: validation.problems.map(({ message }) => message) };
  const idOf = new Map<string, NodeId>(nodes.map(({ key }) => [key, ids.next("nod")]));
  return {
    plan: {
      id: ids.next("pln"),
      summary,
      nodes: nodes.map(({ key, title, role, prompt, files, dependsOn }) => ({
        id: idOf.get(key)!,
        title,
        role,
        prompt,
        ...(files === undefined ? {} : { files }),
        dependsOn: dependsOn.map((name) => idOf.get(name)!),
      })),
      ...(existing.length === 0 ? {} : { existing }),
    },
  };
}
