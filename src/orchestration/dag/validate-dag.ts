/**
 * Says everything that is wrong with a graph before anything of it runs, so that a planner corrects it in one go.
 *
 *   shape (sizes, policy) + names (ids, roles, dependencies) + cycles -> problems, or the layers of a valid graph
 */
import type { Dag } from "./dag.ts";
import { dagLayers } from "./dag-layers.ts";
import {
  cycleProblems,
  type DagProblem,
  dependenciesOf,
  dependencyProblems,
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

export function validateDag({ nodes, policy }: Dag, { roles }: Options = {}): DagValidation {
  const ids = new Set(nodes.map(({ id }) => id));
  const problems = [
    ...sizeProblems({ nodes: nodes.length, dependencies: dependenciesOf(nodes) }),
    ...policyProblems(policy),
    ...nodes.flatMap(timingProblems),
    ...idProblems(nodes),
    ...roleProblems(nodes, roles),
    ...dependencyProblems(nodes, (id) => ids.has(id)),
    ...cycleProblems(nodes),
  ];
  return problems.length > 0 ? { valid: false, problems } : { valid: true, layers: dagLayers(nodes) };
}
