/** Door of DAG runs: graphs carried out durably, by commands and prompts of the daemon or by functions of a program. */
export { type Attempt, carryOutNode } from "./carry-out-node.ts";
export { adjustDag, answerNode, cancelDag, pauseDag, resumeDag, retryNode, skipNode } from "./control-dag.ts";
export { createDagHost } from "./dag-host.ts";
export type { DagHost, HostPorts } from "./dag-host-port.ts";
export { dagsOfSessions } from "./dags-of-sessions.ts";
export { untouched, viewDag } from "./dag-view.ts";
export { acceptGraph, foldChanges, roleOf } from "./graph.ts";
export { listDags, showDag } from "./list-dags.ts";
export { refuseUnapproved } from "./node-approval.ts";
export { createNodeFiles } from "./node-files.ts";
export { conflictText, type PathHolder, type PathReservations } from "./path-reservations.ts";
export type { DagTx } from "./record-batch.ts";
export { recordDag, type RecordPorts } from "./record-dag.ts";
export { type DagPorts, startDagRun } from "./start-dag-run.ts";
export { sqliteDags } from "./store.sqlite.ts";
export type { DagRecord, DagRepository, StoredStatus as DagStoredStatus } from "./store.ts";
