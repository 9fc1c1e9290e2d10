/** One work item of the caller's own project, by its id or by the id it had in another tracker, or the reason why not. */
import { DomainError, type Caller, type WorkItemId } from "../../contract/index.ts";
import type { WorkItemRecord, WorkItemRepository } from "./store.ts";

export async function findWorkItem(
  key: string,
  caller: Caller,
  { workItems }: { readonly workItems: WorkItemRepository },
): Promise<WorkItemRecord> {
  const record =
    (await workItems.find(key as WorkItemId)) ??
    (caller.project && (await workItems.findByExternalId(caller.project.id, key)));
  if (record === undefined)
    throw new DomainError("work-item.not-found", `There is no work item ${key}; "sylk work list" shows them`, {
      details: { id: key, suggestedAction: "rerun-discovery" },
    });
  if (caller.kind === "agent" && record.project !== caller.project.id) {
    throw new DomainError("caller.denied", `${key} belongs to another project`, {
      details: { needed: "a token of that project", suggestedAction: "stop-dispatch" },
    });
  }
  return record;
}
