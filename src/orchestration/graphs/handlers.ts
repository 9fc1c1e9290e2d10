/** The handlers of `dag.*`: graphs that a person or an agent wrote. */
import type { Caller, DagId, OutputOf } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { validateDag } from "../dag/index.ts";
import { adjustGraph, answerNode, cancelGraph, pauseGraph, resumeGraph, retryNode, skipNode } from "./control-graph.ts";
import { graphProblems } from "./check-graph.ts";
import { findDag, viewDag } from "./dag-view.ts";
import { acceptNodes, engineDag, engineNode, foldChanges, type Graph, refuse, withPath } from "./graph.ts";
import { listDags, showDag } from "./list-dags.ts";
import { type DagPorts, type DagRepositories, startDagRun } from "./start-dag-run.ts";
import type { GraphRecord, WrittenSpec } from "./store.ts";

export function dagHandlers<Tx extends DagRepositories>(
  ports: DagPorts<Tx>,
): OperationHandlers<Tx, OperationsOn<"dag">> {
  const { reader } = ports.store;
  const show = async (id: DagId, caller: Caller): Promise<OutputOf<"dag.show">> => ({
    dag: await viewDag(await findDag(id, caller, reader.dags), reader.dags, await ports.host.factsOf(id)),
  });
  const on = async (
    id: DagId,
    caller: Caller,
    change: (record: GraphRecord) => Promise<void>,
  ): Promise<OutputOf<"dag.show">> => {
    await change(await findDag(id, caller, reader.dags));
    return show(id, caller);
  };
  return {
    "dag.run": (input, call) => startDagRun(input, call, ports),
    "dag.check": ({ graph }, { caller }) => {
      const nodes = Object.keys(graph.nodes ?? {}).length;
      return Promise.resolve({ nodes, problems: [...graphProblems(graph, ports.rules, caller)] });
    },
    "dag.list": (input, { caller }) => listDags(input, caller, ports),
    "dag.show": (input, { caller }) => showDag(input, caller, ports),
    "dag.cancel": ({ id, reason }, { caller }) => on(id, caller, (record) => cancelGraph(record, reason, ports)),
    "dag.pause": ({ id, abort }, { caller }) => on(id, caller, (record) => pauseGraph(record, { abort }, ports)),
    "dag.resume": ({ id }, { caller }) => on(id, caller, (record) => resumeGraph(record, ports)),
    "dag.retry": ({ id, node }, { caller }) => on(id, caller, (record) => retryNode(record, node, ports)),
    "dag.skip": ({ id, node, reason, treatAsDone }, { caller }) =>
      on(id, caller, (record) => skipNode(record, { node, reason, treatAsDone }, ports)),
    "dag.answer": ({ id, ...decision }, { caller }) =>
      on(id, caller, (record) => answerNode(record, decision, caller, ports)),
    "dag.adjust": ({ id, nodes, remove, expectedVersion }, { caller }) =>
      on(id, caller, async (record) => {
        const graph = foldChanges(await reader.dags.changesOf(id));
        const problems: { path: string; message: string }[] = [];
        const specs = Object.entries(acceptNodes(nodes, ports.rules, problems, caller));
        if (problems.length > 0) problems.push(...edgeProblems(graph, specs, remove, record));
        refuse("dag.adjust", problems);
        const asNodes = (known: boolean) =>
          specs.filter(([name]) => graph.has(name) === known).map(([name, spec]) => engineNode(name, spec));
        await adjustGraph(record, { add: asNodes(false), replace: asNodes(true), remove }, expectedVersion, ports);
      }),
  };
}

/** What the engine would refuse afterwards, so that the author is told everything at once. */
function edgeProblems(
  graph: Graph,
  specs: readonly (readonly [string, WrittenSpec])[],
  remove: readonly string[],
  { options }: GraphRecord,
) {
  const next = new Map([...graph, ...specs]);
  for (const name of remove) next.delete(name);
  const validation = validateDag(engineDag(next, options));
  return validation.valid ? [] : validation.problems.map(withPath);
}
