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

/** The engineer nodes of a run's last plan, with their corrections. */
export async function workOf(id: GraphId, dags: GraphRepository): Promise<readonly RunNodeSpec[]> {
  const specs = (await specsOf(id, dags)).map(([, spec]) => ({ spec }));
  return sinceLastPlan(specs).flatMap(({ spec }) => (spec.kind === "engineer" ? [spec] : []));
}

/** The nodes of the last plan and what followed from it. Feedback begins a new plan; what came before is history. */
export function sinceLastPlan<Node extends Pick<KnownNode, "spec">>(nodes: readonly Node[]): readonly Node[] {
  const round = nodes.findLast(({ spec }) => spec.kind === "plan")?.spec.round ?? 0;
  return nodes.filter(({ spec }) => spec.round >= round || spec.kind === "conclude");
}
