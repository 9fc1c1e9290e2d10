/** Lists runs page by page. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { nodesOf } from "./run-nodes.ts";
import { existingWorkspace, type RunReader } from "./run-view.ts";
import type { RunRecord } from "./store.ts";

export async function listRuns(
  { status, cursor, limit }: InputOf<"run.list">,
  caller: Caller,
  { store }: { readonly store: Pick<Store<RunReader>, "reader"> },
): Promise<OutputOf<"run.list">> {
  const found = await store.reader.runs.list({ project: caller.project?.id, status, before: cursor, limit: limit + 1 });
  const items = await Promise.all(found.slice(0, limit).map((record) => summaryOf(record, store.reader)));
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

async function summaryOf(record: RunRecord, { dags }: RunReader): Promise<OutputOf<"run.list">["items"][number]> {
  const { id, session, project, request, status, reason, label, cost, outcome, createdAt, updatedAt, options } = record;
  const workspace = existingWorkspace(record);
  const work = (await nodesOf(id, dags)).filter(({ spec }) => spec.kind === "engineer");
  return {
    id,
    session,
    project,
    request,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(label === undefined ? {} : { label }),
    ...(workspace === undefined ? {} : { workspace }),
    cost,
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    outcome,
    createdAt,
    updatedAt,
    nodes: { total: work.length, succeeded: work.filter(({ record }) => record.state === "succeeded").length },
  };
}
