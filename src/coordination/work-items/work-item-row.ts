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

type Written = { -readonly [Field in keyof WorkItemRecord]: WorkItemRecord[Field] };

/** What is null is left out, field by field: an object of one field for each, spread, took longer than the read itself. */
export function toWorkItem(row: SqlRow): WorkItemRecord {
  const item: Written = {
    id: row.id as WorkItemId,
    project: row.project as ProjectId,
    title: row.title as string,
    type: row.type as string,
    priority: row.priority as number,
    status: row.status as WorkItemStatus,
    labels: listOf(row.labels),
    dependsOn: listOf(row.depends_on),
    relatesTo: listOf(row.relates_to),
    discoveredFrom: listOf(row.discovered_from),
    claimTtlMs: (row.claim_ttl_ms ?? undefined) as number | undefined,
    stallAfterMs: (row.stall_after_ms ?? undefined) as number | undefined,
    fencingToken: row.fencing_token as number,
    version: row.version as number,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
  };
  if (row.body !== null) item.body = row.body as string;
  if (row.parent !== null) item.parent = row.parent as WorkItemId;
  if (row.external_id !== null) item.externalId = row.external_id as string;
  if (row.owner !== null)
    item.owner = { id: row.owner as AgentId, name: row.owner_name as string, client: row.owner_client as string };
  if (row.claimed_at !== null) item.claimedAt = row.claimed_at as number;
  if (row.asked_at !== null) item.askedAt = row.asked_at as number;
  if (row.blocked_reason !== null) item.blockedReason = row.blocked_reason as string;
  if (row.closed_reason !== null) item.closedReason = row.closed_reason as string;
  if (row.progress !== null) item.progress = JSON.parse(row.progress as string) as NonNullable<Written["progress"]>;
  if (row.stuck !== null) item.stuck = JSON.parse(row.stuck as string) as NonNullable<Written["stuck"]>;
  if (row.handoff_request !== null)
    item.handoffRequest = JSON.parse(row.handoff_request as string) as NonNullable<Written["handoffRequest"]>;
  return item;
}

function listOf(value: SqlRow[string] | undefined): WorkItemId[] {
  return value === "[]" ? [] : (JSON.parse(String(value)) as WorkItemId[]);
}
