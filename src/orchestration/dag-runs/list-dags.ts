/** DAG runs by page, and one of them with its nodes. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import { findDag, shownStatus, viewDag } from "./dag-view.ts";
import type { DagPorts } from "./start-dag-run.ts";
import type { DagRecord, DagRepository } from "./store.ts";

export async function showDag(
  { id, node }: InputOf<"dag.show">,
  caller: Caller,
  { store: { reader }, host }: DagPorts,
): Promise<OutputOf<"dag.show">> {
  return { dag: await viewDag(await findDag(id, caller, reader.dags), reader.dags, await host.factsOf(id), node) };
}

export async function listDags(
  { status, session, cursor, limit }: InputOf<"dag.list">,
  caller: Caller,
  { store: { reader } }: DagPorts,
): Promise<OutputOf<"dag.list">> {
  const query = { project: caller.project?.id, session, status, before: cursor, limit: limit + 1 };
  const found = await reader.dags.list(query);
  const items = await Promise.all(found.slice(0, limit).map((record) => summaryOf(record, reader.dags)));
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

async function summaryOf(record: DagRecord, dags: DagRepository): Promise<OutputOf<"dag.list">["items"][number]> {
  const { id, session, name, reason, version, nodes, createdAt, updatedAt } = record;
  const tally = await dags.tallyOf(id);
  return {
    id,
    session,
    name,
    status: shownStatus(record, tally),
    ...(reason === undefined ? {} : { reason }),
    version,
    progress: { done: tally.done, total: nodes },
    createdAt,
    updatedAt,
  };
}
