/** Reading work items: all of them by page, or what can be claimed now. */
import type { Caller, InputOf, OutputOf, WorkItemId } from "../../contract/index.ts";
import { claimLeftMs, leaseOf } from "./claim-lease.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts } from "./ports.ts";
import { viewWorkItem } from "./work-item-view.ts";

export async function listWorkItems(
  { status, cursor, limit }: InputOf<"work-item.list">,
  caller: Caller,
  { store }: WorkItemPorts,
): Promise<OutputOf<"work-item.list">> {
  const found = await store.reader.workItems.list({
    project: caller.project?.id,
    status,
    before: cursor,
    limit: limit + 1,
  });
  const items = found.slice(0, limit).map(viewWorkItem);
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

/** Open and unblocked, or in progress without a live owner; most urgent first, then the oldest. */
export async function readyWorkItems(
  { limit }: InputOf<"work-item.ready">,
  caller: Caller,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.ready">> {
  const { workItems } = ports.store.reader;
  const open = await workItems.readyOpen(caller.project?.id, limit);
  const ownerless = (await workItems.readyInProgress(caller.project?.id)).filter(
    (record) => claimLeftMs(record, ports) === 0,
  );
  const best = [...open, ...ownerless].sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  return { items: best.slice(0, limit).map(viewWorkItem) };
}

export async function getWorkItem(
  id: WorkItemId,
  caller: Caller,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.get">> {
  const record = await findWorkItem(id, caller, ports.store.reader);
  return {
    workItem: viewWorkItem(record),
    ...(claimLeftMs(record, ports) > 0 ? { lease: leaseOf(record, ports) } : {}),
  };
}
