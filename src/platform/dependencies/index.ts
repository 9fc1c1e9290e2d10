/** Door of dependencies: what can be wrong with edges between named nodes, whatever the nodes are. */
export { cycleProblems, dependencyProblems, type DependencyProblem, quoted } from "./dependency-problems.ts";
export { type Dependent, type GraphIndex, indexGraph } from "./graph-index.ts";
export { writtenEdgeProblems } from "./written-edges.ts";
