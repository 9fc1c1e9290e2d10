/** Door of the DAG engine. */
export type { Dispatch } from "./attempts.ts";
export { isDone, recordAfter } from "./dag.ts";
export type {
  Adjustment,
  BlockRequest,
  Dag,
  DagNode,
  DagOutcome,
  DagPolicy,
  ErrorClass,
  NodeAnswer,
  NodeCause,
  NodeError,
  NodeRecord,
  NodeState,
  NodeTransition,
  RetryPolicy,
  RunOutcome,
} from "./dag.ts";
export type { DagProblem } from "./dag-problems.ts";
export { InvalidDag } from "./dag-problems.ts";
export { DagRefusal } from "./dag-refusal.ts";
export type { DagEvent, DagRun, Journal, JournalEntry, RunDagOptions } from "./dag-run.ts";
export type { DagPlan, DagStatus } from "./dag-status.ts";
export type { DispatchContext } from "./dispatch-context.ts";
export { Blocked, Interrupted, NodeFailure, succeedWith } from "./node-outcomes.ts";
export { startDag } from "./run-dag.ts";
export { validateDag } from "./validate-dag.ts";
export type { DagValidation } from "./validate-dag.ts";
