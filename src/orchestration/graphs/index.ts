/** Door of graphs: the durable host for `sylk dag` and `sylk run`. */
export { archivingGraphs, definitionOf, nodeResult, skippedWork, timesOf } from "./archive-graph.ts";
export {
  type Attempt,
  asNodeFailure,
  carryOutByKind,
  carryOutNode,
  type Executors,
  type NodePorts,
} from "./carry-out-node.ts";
export {
  adjustGraph,
  answerNode,
  cancelGraph,
  extendGraph,
  type ControlPorts,
  type ControlTx,
  type NodeDecision,
  pauseGraph,
  resumeGraph,
  retryNode,
  skipNode,
} from "./control-graph.ts";
export { untouched, viewDag } from "./dag-view.ts";
export { acceptGraph, engineNode, foldChanges, isOfRun, roleOf, specOf } from "./graph.ts";
export { createGraphHost } from "./graph-host.ts";
export type { GraphCompanion, GraphHost, HostPorts } from "./graph-host-port.ts";
export { type DescribedWork, graphsOfSessions } from "./graphs-of-sessions.ts";
export { dagHandlers } from "./handlers.ts";
export { decisionFor, refuseUnapproved } from "./node-approval.ts";
export { createNodeFiles } from "./node-files.ts";
export { conflictText, type PathHolder, type PathReservations } from "./path-reservations.ts";
export type { FollowedBatch, GraphFollower, GraphTx } from "./record-batch.ts";
export { recordDag, recordGraph, type RecordPorts } from "./record-graph.ts";
export type { DagPorts, DagRepositories } from "./start-dag-run.ts";
export { sqliteDags } from "./store.sqlite.ts";
export type {
  GraphChange,
  GraphRecord,
  GraphRepository,
  NodeRow,
  PlannedWork,
  RunNodeSpec,
  StoredStatus as GraphStoredStatus,
  WrittenSpec,
} from "./store.ts";
