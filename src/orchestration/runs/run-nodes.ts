/** Reads the nodes of a run with their records, in graph order. The conclusion comes last. */
import type { GraphId } from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import {
  foldChanges,
  type GraphRepository,
  isOfRun,
  type NodeRow,
  type RunNodeSpec,
  untouched,
} from "../graphs/index.ts";

export type KnownNode = {
  readonly id: string;
  readonly spec: RunNodeSpec;
  readonly record: NodeRecord;
  readonly row: NodeRow | undefined;
};

export async function nodesOf(id: GraphId, dags: GraphRepository): Promise<readonly KnownNode[]> {
  const rows = new Map((await dags.nodesOf(id)).map((row) => [row.node, row]));
  const specs = await specsOf(id, dags);
  return specs.map(([node, spec]) => {
    const row = rows.get(node);
    return { id: node, spec, row, record: row?.record ?? untouched };
  });
}

export async function specsOf(
  id: GraphId,
  dags: GraphRepository,
): Promise<readonly (readonly [string, RunNodeSpec])[]> {
  const specs = [...foldChanges(await dags.changesOf(id))].flatMap(([node, spec]) =>
    isOfRun(spec) ? [[node, spec] as const] : [],
  );
  return specs.toSorted(([, one], [, other]) => Number(one.kind === "conclude") - Number(other.kind === "conclude"));
}

/** The engineer nodes of a run. */
export async function workOf(id: GraphId, dags: GraphRepository): Promise<readonly RunNodeSpec[]> {
  return (await specsOf(id, dags)).flatMap(([, spec]) => (spec.kind === "engineer" ? [spec] : []));
}
