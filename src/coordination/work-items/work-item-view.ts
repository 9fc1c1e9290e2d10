/** A work item as callers see it. */
import type { Caller, OutputOf, WorkItem } from "../../contract/index.ts";
import { projectLabels, type ProjectRepository } from "../registry/index.ts";
import type { WorkItemRecord } from "./store.ts";

export function viewWorkItem({
  project: _project,
  fencingToken,
  claimTtlMs: _claimTtlMs,
  stallAfterMs: _stallAfterMs,
  ...item
}: WorkItemRecord): WorkItem {
  return { ...item, attempts: fencingToken };
}

/** Where a list covers all projects, each item says which is its own. */
export async function listWithProjects(
  records: readonly WorkItemRecord[],
  { project }: Caller,
  { projects }: { readonly projects: ProjectRepository },
): Promise<OutputOf<"work-item.list">["items"]> {
  if (project !== undefined) return records.map(viewWorkItem);
  const labels = await projectLabels(projects);
  return records.map((record) => ({ ...viewWorkItem(record), project: labels.get(record.project)! }));
}
