/**
 * Work items: tracked pieces of work that agents claim.
 *
 *   create -> open -> claim (one winner) -> in_progress -> close
 *                      ^ unclaim, release, expiry or the owner's end return it to the queue
 *
 * A claim is a lease renewed by any call of its live owner.
 * Invariant: at any instant a work item has at most one live owner, and its fencing token never goes back.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { WorkItemId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

export const WorkItemStatus = z.enum(["open", "in_progress", "blocked", "closed"]);
export type WorkItemStatus = z.infer<typeof WorkItemStatus>;

const Lease = z.object({ fencingToken: z.int(), expiresAt: TimeMs });

export const WorkItem = z.object({
  id: WorkItemId,
  title: z.string(),
  body: z.string().optional(),
  type: z.string(),
  priority: z.int().describe("0 is the most urgent, 4 the least"),
  status: WorkItemStatus,
  dependsOn: z.array(WorkItemId),
  owner: AgentRef.optional(),
  attempts: z.int().describe("How often it was claimed anew"),
  version: z.int(),
  createdAt: TimeMs,
  updatedAt: TimeMs,
  closedReason: z.string().optional(),
});
export type WorkItem = Readonly<z.infer<typeof WorkItem>>;

export const create = defineOperation({
  name: "work-item.create",
  summary: "Add a work item",
  http: "POST /v1/work-items",
  actor: "agent",
  input: z.strictObject({
    title: z.string().trim().min(1).max(300).describe("One line that says what will hold when it is done"),
    body: z.string().max(100_000).optional().describe("Details"),
    type: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/)
      .default("change")
      .describe("Kind of work, for example bug"),
    priority: z.int().min(0).max(4).default(2).describe("0 is the most urgent, 4 the least"),
    dependsOn: z.array(WorkItemId).max(200).default([]).describe("Items that must be closed first"),
  }),
  output: z.object({ workItem: WorkItem }),
  errors: ["input.invalid", "work-item.not-found", "agent.ended"],
  mcp: { listed: true },
  example: { title: "Rate-limit POST /orders", type: "feature", priority: 1 },
});

export const list = defineOperation({
  name: "work-item.list",
  summary: "List work items, newest first",
  http: "GET /v1/work-items",
  actor: "anyone",
  input: z.strictObject({ status: WorkItemStatus.optional(), ...pageInput }),
  output: pageOf(WorkItem),
  errors: ["input.invalid"],
  example: { status: "open" },
});

export const ready = defineOperation({
  name: "work-item.ready",
  summary: "List what can be claimed now, best first",
  http: "GET /v1/work-items/ready",
  actor: "anyone",
  input: z.strictObject({ limit: z.int().min(1).max(500).default(20).describe("How many items at the most") }),
  output: z.object({ items: z.array(WorkItem) }),
  errors: ["input.invalid"],
  mcp: { listed: true },
  example: { limit: 5 },
});

const byId = z.strictObject({ id: WorkItemId.describe("Work item id") });
const exampleId = { id: "wrk_01jd8q3m7k4x9t2v5b8n1c" as WorkItemId };

export const get = defineOperation({
  name: "work-item.get",
  summary: "Show one work item",
  http: "GET /v1/work-items/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({ workItem: WorkItem, lease: Lease.optional() }),
  errors: ["input.invalid", "work-item.not-found", "caller.denied"],
  example: exampleId,
});

export const claim = defineOperation({
  name: "work-item.claim",
  summary: "Claim a work item; of any number of racing agents exactly one wins",
  http: "POST /v1/work-items/{id}/claim",
  actor: "agent",
  input: byId,
  output: z.object({ workItem: WorkItem, lease: Lease }),
  errors: [
    "agent.ended",
    "input.invalid",
    "work-item.not-found",
    "claim.taken",
    "claim.limit",
    "work-item.closed",
    "work-item.blocked",
    "caller.denied",
  ],
  mcp: { listed: true },
  example: exampleId,
});

const afterwards = z.object({ workItem: WorkItem });
const ownerErrors = ["input.invalid", "work-item.not-found", "lease.lost", "caller.denied"] as const;

export const unclaim = defineOperation({
  name: "work-item.unclaim",
  summary: "Give up ownership and keep the item's status",
  http: "POST /v1/work-items/{id}/unclaim",
  actor: "agent",
  input: byId,
  output: afterwards,
  errors: ownerErrors,
  example: exampleId,
});

export const release = defineOperation({
  name: "work-item.release",
  summary: "Give up ownership and reopen the item",
  http: "POST /v1/work-items/{id}/release",
  actor: "agent",
  input: byId,
  output: afterwards,
  errors: ownerErrors,
  mcp: { listed: true },
  example: exampleId,
});

export const close = defineOperation({
  name: "work-item.close",
  summary: "Close a work item with a reason",
  http: "POST /v1/work-items/{id}/close",
  actor: "agent",
  input: byId.extend({ reason: z.string().max(2000).default("done").describe("What was done, or why not") }),
  output: afterwards,
  errors: ["input.invalid", "work-item.not-found", "claim.taken", "work-item.closed", "caller.denied", "agent.ended"],
  mcp: { listed: true },
  example: { ...exampleId, reason: "done" },
});

const fact = z.object({ workItem: WorkItem });
const claimFact = fact.extend({ owner: AgentRef, fencingToken: z.int(), ttlMs: z.int() });
export const WorkItemCreated = defineEvent("work-item.created", 1, "A work item was added", fact);
export const WorkItemClaimed = defineEvent("work-item.claimed", 1, "An agent won the work item", claimFact);
export const WorkItemReleased = defineEvent(
  "work-item.released",
  1,
  "The owner gave it up or ended",
  fact.extend({ formerOwner: AgentRef }),
);
export const WorkItemClaimExpired = defineEvent(
  "work-item.claim-expired",
  1,
  "The owner was silent for too long",
  fact.extend({ formerOwner: AgentRef }),
);
export const WorkItemClosed = defineEvent("work-item.closed", 1, "A work item was closed", fact);
