/** Lists DAG runs page by page, and shows one with its nodes. */
import type { Caller, DagId, InputOf, OutputOf } from "../../contract/index.ts";
import { findDag, shownStatus, viewDag } from "./dag-view.ts";
import type { DagPorts } from "./start-dag-run.ts";
import type { GraphRecord, GraphRepository } from "./store.ts";

export async function showDag(
  { id, node }: InputOf<"dag.show">,
  caller: Caller,
  { store: { reader }, host }: Pick<DagPorts, "store" | "host">,
): Promise<OutputOf<"dag.show">> {
  return { dag: await viewDag(await findDag(id, caller, reader.dags), reader.dags, await host.factsOf(id), node) };
}

export async function listDags(
  { status, session, cursor, limit }: InputOf<"dag.list">,
  caller: Caller,
  { store: { reader } }: Pick<DagPorts, "store" | "host">,
): Promise<OutputOf<"dag.list">> {
  const query = { project: caller.project?.id, session, status, before: cursor, limit: limit + 1 };
  const found = await reader.dags.list(query);
  const items = await Promise.all(found.slice(0, limit).map((record) => summaryOf(record, reader.dags)));
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

async function summaryOf(record: GraphRecord, dags: GraphRepository): Promise<OutputOf<"dag.list">["items"][number]> {
  const { id, session, project, name, reason, version, nodes, createdAt, updatedAt } = record;
  const tally = await dags.tallyOf(id);
  return {
    id: id as DagId,
    session,
    project,
    name,
    status: shownStatus(record, tally),
    ...(reason === undefined ? {} : { reason }),
    version,
    progress: { done: tally.done, total: nodes },
    createdAt,
    updatedAt,
  };
}
