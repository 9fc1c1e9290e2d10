/**
 * Reports all problems of a graph before any node runs, so that a planner can correct them in one go.
 *
 *   shape (sizes, policy) + names (ids, roles, dependencies) + cycles -> problems, or the layers of a valid graph
 */
import { cycleProblems, dependencyProblems, type GraphIndex, indexGraph } from "../../platform/dependencies/index.ts";
import type { Dag } from "./dag.ts";
import { dagLayers } from "./dag-layers.ts";
import {
  type DagProblem,
  dependenciesOf,
  finalProblems,
  idProblems,
  policyProblems,
  roleProblems,
  sizeProblems,
  timingProblems,
} from "./dag-problems.ts";

export type DagValidation =
  | { readonly valid: true; readonly layers: readonly (readonly string[])[] }
  | { readonly valid: false; readonly problems: readonly DagProblem[] };

type Options = { readonly roles?: ReadonlySet<string> };

export function validateDag(dag: Dag, { roles }: Options = {}): DagValidation {
  const problems = dagProblems(dag, indexGraph(dag.nodes), roles);
  return problems.length > 0 ? { valid: false, problems } : { valid: true, layers: dagLayers(dag.nodes) };
}

export function dagProblems(
  { nodes, policy }: Dag,
  index: GraphIndex,
  roles: ReadonlySet<string> | undefined,
): readonly DagProblem[] {
  return [
    ...sizeProblems({ nodes: nodes.length, dependencies: dependenciesOf(nodes) }),
    ...policyProblems(policy),
    ...nodes.flatMap(timingProblems),
    ...idProblems(nodes, index),
    ...roleProblems(nodes, roles),
    ...dependencyProblems(nodes, (id) => index.position.has(id)),
    ...finalProblemsOf(nodes),
    ...cycleProblems(nodes, index),
  ];
}

/** Skips the lookup for graphs without final nodes, which are most. */
function finalProblemsOf(nodes: Dag["nodes"]): Iterable<DagProblem> {
  const finals = new Set(nodes.filter(({ final }) => final).map(({ id }) => id));
  return finals.size === 0 ? [] : finalProblems(nodes, (id) => finals.has(id));
}
