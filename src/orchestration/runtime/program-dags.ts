/** Graphs of a program that embeds the engine: written as for `sylk dag run`, of prompts that the program carries out. */
import {
  dag as contract,
  type DagId,
  DomainError,
  type ProjectId,
  type RawInputOf,
  type SessionId,
} from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import {
  acceptGraph,
  type GraphHost,
  type GraphStoredStatus,
  foldChanges,
  recordDag,
  type RecordPorts,
  untouched,
} from "../graphs/index.ts";
import { sessionFor } from "../sessions/index.ts";
import type { EngineTx } from "./create-engine.ts";

export type GraphTerms = Pick<RawInputOf<"dag.run">, "name" | "mode" | "policy" | "nodes">;
export type DagResult = { readonly status: GraphStoredStatus; readonly nodes: ReadonlyMap<string, NodeRecord> };
export type EngineDags = Pick<GraphHost, "live"> & {
  /** Recorded when it resolves: from then on it survives a crash. */
  run(session: SessionId, graph: GraphTerms): Promise<DagId>;
  /** Resolves when the graph has ended; at once when it rests. */
  result(id: DagId): Promise<DagResult>;
};

type Ports = Omit<RecordPorts, "host"> & {
  readonly host: Pick<GraphHost, "launch" | "live" | "over">;
  readonly ids: IdSource;
  readonly store: Store<EngineTx>;
  readonly project: ProjectId;
  /** The folder the graphs are about. */
  readonly tree: string;
};

export function programDags(ports: Ports): EngineDags {
  const { store, project, tree, host } = ports;
  return {
    live: host.live,
    async run(wanted, { name = "graph", mode = "eager", nodes, policy = {} }) {
      const accepted = { mode, policy: contract.DagPolicy.parse(policy), nodes: parsed(nodes) };
      const graph = acceptGraph("dags.run", accepted, rules);
      const { id } = await store.transact(wanted, async (tx) => {
        const { newest: since } = await tx.events.bounds();
        const session = (await sessionFor({ session: wanted }, name, { id: project }, tx, ports)).id;
        const { mode: ordered, policy: rules } = accepted;
        const options = {
          tree,
          mode: ordered,
          policy: rules,
          provider: undefined,
          rehearse: undefined,
          environment: {},
        };
        return recordDag({ session, project, name, options, graph, since }, tx, ports);
      });
      await host.launch(id);
      return id;
    },
    async result(id) {
      await host.over(id);
      const record = await store.reader.dags.find(id);
      if (record === undefined) throw new DomainError("dag.not-found", `There is no graph ${id}`, { details: { id } });
      const rows = new Map((await store.reader.dags.nodesOf(id)).map((row) => [row.node, row.record]));
      const inOrder = [...foldChanges(await store.reader.dags.changesOf(id)).keys()];
      return { status: record.status, nodes: new Map(inOrder.map((name) => [name, rows.get(name) ?? untouched])) };
    },
  };
}

/** A program keeps what it passes, and there is no other agent to reserve files from. */
const rules = { splitCommand: () => undefined, clean: <T>(value: T): T => value };

function parsed(nodes: GraphTerms["nodes"]) {
  return Object.fromEntries(Object.entries(nodes).map(([id, terms]) => [id, contract.DagNodeTerms.parse(terms)]));
}
