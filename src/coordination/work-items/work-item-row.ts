/** A work item's row in SQLite, read: links and owner come with it. */
import type { AgentId, ProjectId, WorkItemId, WorkItemStatus } from "../../contract/index.ts";
import type { SqlRow } from "../../platform/store/index.ts";
import type { WorkItemRecord } from "./store.ts";

const links = (kind: string): string =>
  `(SELECT json_group_array(other) FROM work_item_links WHERE item = work_items.id AND kind = '${kind}')`;

export const selectWorkItem = `SELECT work_items.*, agents.name AS owner_name, agents.client AS owner_client,
  (SELECT json_group_array(depends_on) FROM work_item_dependencies WHERE item = work_items.id) AS depends_on,
  ${links("relates")} AS relates_to, ${links("discovered-from")} AS discovered_from
  FROM work_items LEFT JOIN agents ON agents.id = work_items.owner`;

export function toWorkItem(row: SqlRow): WorkItemRecord {
  return {
    id: row.id as WorkItemId,
    project: row.project as ProjectId,
    title: String(row.title),
    type: String(row.type),
    priority: Number(row.priority),
    status: row.status as WorkItemStatus,
    labels: listOf(row.labels),
    dependsOn: listOf(row.depends_on),
    relatesTo: listOf(row.relates_to),
    discoveredFrom: listOf(row.discovered_from),
    ...given("body", row.body),
    ...given("parent", row.parent),
    ...given("externalId", row.external_id),
    ...(row.owner === null
      ? {}
      : { owner: { id: row.owner as AgentId, name: String(row.owner_name), client: String(row.owner_client) } }),
    claimTtlMs: row.claim_ttl_ms === null ? undefined : Number(row.claim_ttl_ms),
    stallAfterMs: row.stall_after_ms === null ? undefined : Number(row.stall_after_ms),
    fencingToken: Number(row.fencing_token),
    version: Number(row.version),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...given("claimedAt", row.claimed_at),
    ...given("askedAt", row.asked_at),
    ...given("blockedReason", row.blocked_reason),
    ...given("closedReason", row.closed_reason),
    ...json("progress", row.progress),
    ...json("stuck", row.stuck),
    ...json("handoffRequest", row.handoff_request),
  };
}

function listOf(value: SqlRow[string] | undefined): WorkItemId[] {
  return value === "[]" ? [] : (JSON.parse(String(value)) as WorkItemId[]);
}

function given(name: string, value: SqlRow[string] | undefined): object {
  return value === null || value === undefined ? {} : { [name]: value };
}

function json(name: string, value: SqlRow[string] | undefined): object {
  return value === null || value === undefined ? {} : { [name]: JSON.parse(String(value)) as unknown };
}
