/** Door of DAG runs: graphs of commands and prompts, carried out durably by the daemon. */
export { adjustDag, answerNode, cancelDag, pauseDag, resumeDag, retryNode, skipNode } from "./control-dag.ts";
export { createDagHost } from "./dag-host.ts";
export type { DagHost } from "./dag-host-port.ts";
export { viewDag } from "./dag-view.ts";
export { listDags, showDag } from "./list-dags.ts";
export { type DagPorts, startDagRun } from "./start-dag-run.ts";
export { sqliteDags } from "./store.sqlite.ts";
export type { DagRecord, DagRepository } from "./store.ts";
