/** Reading work items: all of them by page, or one. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { claimLeftMs, leaseOf } from "./claim-lease.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts } from "./ports.ts";
import { listWithProjects, viewWorkItem } from "./work-item-view.ts";

export async function listWorkItems(
  { status, label, parent, cursor, limit }: InputOf<"work-item.list">,
  caller: Caller,
  { store }: WorkItemPorts,
): Promise<OutputOf<"work-item.list">> {
  const found = await store.reader.workItems.list({
    project: caller.project?.id,
    status,
    label,
    parent: parent === undefined ? undefined : (await findWorkItem(parent, caller, store.reader)).id,
    before: cursor,
    limit: limit + 1,
  });
  const items = await listWithProjects(found.slice(0, limit), caller, store.reader);
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

export async function getWorkItem(
  key: string,
  caller: Caller,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.get">> {
  const record = await findWorkItem(key, caller, ports.store.reader);
  const handoff = await ports.store.reader.workItems.handoffOf(record.id);
  return {
    workItem: viewWorkItem(record),
    ...(claimLeftMs(record, ports) > 0 ? { lease: leaseOf(record, ports) } : {}),
    ...defined({ handoff }),
  };
}

export async function listNotices(
  { cursor, limit }: InputOf<"work-item.notices">,
  { agent }: { readonly agent: { readonly id: Parameters<WorkItemPorts["liveness"]["touch"]>[0] } },
  { store }: WorkItemPorts,
): Promise<OutputOf<"work-item.notices">> {
  const after = Number(cursor ?? 0);
  const items = await store.reader.workItems.noticesOf(agent.id, Number.isSafeInteger(after) ? after : 0, limit);
  const last = items.at(-1);
  return { items: [...items], ...(last === undefined ? {} : { nextCursor: String(last.sequence) }) };
}
