/** A work item as callers see it. */
import type { WorkItem } from "../../contract/index.ts";
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
