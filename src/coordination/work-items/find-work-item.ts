/** One work item of the caller's own project, or the reason why not. */
import { DomainError, type Caller, type WorkItemId } from "../../contract/index.ts";
import type { WorkItemRecord, WorkItemRepository } from "./store.ts";

export async function findWorkItem(
  id: WorkItemId,
  caller: Caller,
  { workItems }: { readonly workItems: WorkItemRepository },
): Promise<WorkItemRecord> {
  const record = await workItems.find(id);
  if (record === undefined)
    throw new DomainError("work-item.not-found", `There is no work item ${id}; "sylk work list" shows them`, {
      details: { id },
    });
  if (caller.kind === "agent" && record.project !== caller.project.id) {
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  }
  return record;
}
