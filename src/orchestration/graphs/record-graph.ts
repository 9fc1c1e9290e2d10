/** Records an accepted graph with its nodes, and launches it after the commit. */
import { dag as contract, type DagId, type GraphId, type ProjectId, type SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import type { GraphTx } from "./record-batch.ts";
import type { GraphOptions, GraphRecord, GraphChange } from "./store.ts";

type Accepted = {
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly name: string;
  readonly options: GraphOptions;
  readonly graph: GraphChange;
  /** The event cursor before the graph's first event. */
  readonly since: number;
};
export type RecordPorts = {
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly host: Pick<GraphHost, "launch">;
};

export async function recordDag(
  accepted: Accepted,
  tx: GraphTx & Transaction,
  ports: RecordPorts & { readonly ids: IdSource },
): Promise<GraphRecord & { readonly id: DagId }> {
  const id = ports.ids.next("dag");
  const record = await recordGraph({ ...accepted, id }, tx, ports);
  const { session, project, name, nodes } = record;
  await tx.events.append(project, contract.DagStarted.of(id, { dag: id, session, name, nodes }));
  return { ...record, id };
}

export async function recordGraph(
  { graph, ...accepted }: Accepted & { readonly id: GraphId },
  tx: GraphTx & Transaction,
  { clock, log, host }: RecordPorts,
): Promise<GraphRecord> {
  const nodes = Object.keys(graph.nodes).length;
  const now = clock.now();
  const record: GraphRecord = {
    ...accepted,
    status: "running",
    reason: undefined,
    version: 1,
    nodes,
    createdAt: now,
    updatedAt: now,
  };
  const { id } = record;
  await tx.dags.insert(record, graph);
  tx.afterCommit(() => {
    host.launch(id).catch((error: unknown) => void log.error("dag.launch-failed", { dag: id, error }));
  });
  return record;
}
