/** A graph that was accepted becomes a run: recorded with its nodes, and launched once that is safe. */
import { dag as contract, type ProjectId, type SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import type { DagHost } from "./dag-host-port.ts";
import type { DagTx } from "./record-batch.ts";
import type { DagOptions, DagRecord, GraphChange } from "./store.ts";

type Accepted = {
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly name: string;
  readonly options: DagOptions;
  readonly graph: GraphChange;
  /** The cursor before whatever belongs to it. */
  readonly since: number;
};
export type RecordPorts = {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Pick<Log, "error">;
  readonly host: DagHost;
};

export async function recordDag(
  { graph, ...accepted }: Accepted,
  tx: DagTx & Transaction,
  { clock, ids, log, host }: RecordPorts,
): Promise<DagRecord> {
  const nodes = Object.keys(graph.nodes).length;
  const now = clock.now();
  const record: DagRecord = {
    ...accepted,
    id: ids.next("dag"),
    status: "running",
    reason: undefined,
    version: 1,
    nodes,
    createdAt: now,
    updatedAt: now,
  };
  const { id, session, project, name } = record;
  await tx.dags.insert(record, graph);
  await tx.events.append(project, contract.DagStarted.of(id, { dag: id, session, name, nodes }));
  tx.afterCommit(() => {
    host.launch(id).catch((error: unknown) => void log.error("dag.launch-failed", { dag: id, error }));
  });
  return record;
}
