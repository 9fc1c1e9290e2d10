/** Door of the DAG engine. */
export type { Dispatch, DispatchContext } from "./attempts.ts";
export { NodeFailure, recordAfter } from "./dag.ts";
export type {
  Dag,
  DagNode,
  DagOutcome,
  DagPolicy,
  ErrorClass,
  NodeCause,
  NodeError,
  NodeRecord,
  NodeState,
  NodeTransition,
  RetryPolicy,
  RunOutcome,
} from "./dag.ts";
export { runDag, startDag } from "./run-dag.ts";
export type { DagRun, Journal, RunDagOptions } from "./run-dag.ts";
export { validateDag } from "./validate-dag.ts";
export type { DagProblem, DagValidation } from "./validate-dag.ts";
