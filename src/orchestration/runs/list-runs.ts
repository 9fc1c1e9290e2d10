/** Runs by page. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { RunPorts } from "./start-run.ts";
import type { RunRecord, RunRepository } from "./store.ts";

export async function listRuns(
  { status, cursor, limit }: InputOf<"run.list">,
  caller: Caller,
  { store }: RunPorts,
): Promise<OutputOf<"run.list">> {
  const found = await store.reader.runs.list({ project: caller.project?.id, status, before: cursor, limit: limit + 1 });
  const items = await Promise.all(found.slice(0, limit).map((record) => summaryOf(record, store.reader.runs)));
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

async function summaryOf(
  { id, session, request, status, reason, label, workspace, cost, outcome, createdAt, updatedAt, options }: RunRecord,
  runs: RunRepository,
): Promise<OutputOf<"run.list">["items"][number]> {
  const nodes = await runs.nodesOf(id);
  return {
    id,
    session,
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
    nodes: { total: nodes.length, succeeded: nodes.filter(({ state }) => state === "succeeded").length },
  };
}
