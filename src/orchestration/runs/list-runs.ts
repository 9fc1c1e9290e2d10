/** Runs and sessions by page. */
import {
  session as contract,
  type AgentCaller,
  type Caller,
  type InputOf,
  type OutputOf,
  type Session,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { RunPorts, RunRepositories } from "./start-run.ts";
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

export async function listSessions(
  { cursor, limit }: InputOf<"session.list">,
  caller: Caller,
  { store }: RunPorts,
): Promise<OutputOf<"session.list">> {
  const found = await store.reader.runs.listSessions({ project: caller.project?.id, before: cursor, limit: limit + 1 });
  const items = found.slice(0, limit);
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

export function createSession(
  { name }: InputOf<"session.create">,
  { caller, transact }: Call<RunRepositories> & { readonly caller: AgentCaller },
  { ids, clock }: RunPorts,
): Promise<OutputOf<"session.create">> {
  return transact(caller.project.id, async (tx) => {
    const session: Session = {
      id: ids.next("ses"),
      project: caller.project.id,
      name,
      state: "created",
      createdAt: clock.now(),
      updatedAt: clock.now(),
    };
    await tx.runs.insertSession(session);
    await tx.events.append(session.project, contract.SessionCreated.of(session.id, { session }));
    return { session };
  });
}
