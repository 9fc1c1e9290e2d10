/** Starts a DAG run: checks the graph, records it with its session, and launches it. */
import { DomainError, type InputOf, type OutputOf } from "../../contract/index.ts";
import { ensureProject, locateProject, type ProjectRepository } from "../../coordination/registry/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { sessionFor, type SessionTx } from "../sessions/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import { viewDag } from "./dag-view.ts";
import { acceptGraph, type GraphRules } from "./graph.ts";
import type { GraphTx } from "./record-batch.ts";
import { recordDag } from "./record-graph.ts";

export type DagRepositories = GraphTx &
  SessionTx & {
    readonly projects: ProjectRepository;
    readonly audit: AuditRepository;
  };
export type DagPorts<Tx extends DagRepositories = DagRepositories> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Pick<Log, "error">;
  readonly host: GraphHost<Tx>;
  readonly rules: GraphRules;
  /** Selects the variables of the caller's shell that commands get. */
  readonly commandEnvironment: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** Throws when the limit of sessions is reached. */
  readonly sessionRoom?: ((tx: never) => Promise<void>) | undefined;
  /** Throws when no model is available. */
  readonly checkModel: (choice: {
    readonly provider: string | undefined;
    readonly rehearse: string | undefined;
  }) => Promise<void>;
};

export async function startDagRun<Tx extends DagRepositories>(
  wanted: InputOf<"dag.run">,
  { caller, transact }: Call<Tx>,
  ports: DagPorts<Tx>,
): Promise<OutputOf<"dag.run">> {
  const place = await locateProject(wanted.project.path);
  if (caller.kind === "agent" && caller.project.path !== place.path)
    throw new DomainError("caller.denied", "An agent can start DAG runs only in its own project", {
      details: { needed: "a token of that project" },
    });
  const graph = acceptGraph("dag.run", wanted, ports.rules, caller);
  const nodes = Object.values(graph.nodes);
  if (nodes.some(({ prompt }) => prompt !== undefined))
    await ports.checkModel({ provider: wanted.provider, rehearse: wanted.rehearse });
  return transact(place.path, async (tx) => {
    const { newest: since } = await tx.events.bounds();
    const project = await ensureProject(place, tx, ports);
    const name = wanted.name ?? Object.keys(graph.nodes).slice(0, 3).join(", ");
    const session = await sessionFor(wanted, name, project, tx, ports);
    const { mode, policy, provider, rehearse } = wanted;
    const environment = ports.commandEnvironment(wanted.environment);
    const options = { tree: place.tree, mode, policy, provider, rehearse, environment };
    const record = await recordDag(
      { session: session.id, project: project.id, name, options, graph, since },
      tx,
      ports,
    );
    await tx.audit.append({
      actor: actorOf(caller),
      action: "dag.started",
      subject: record.id,
      project: project.id,
      details: { nodes: nodes.length },
    });
    return { dag: await viewDag(record, tx.dags) };
  });
}
