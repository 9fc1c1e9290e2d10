/** Door of node reservations: the nodes of graphs as agents that reserve paths. */
export { nodeReservations } from "./node-reservations.ts";
export { pathProblem } from "./path-problem.ts";
