/**
 * Work items: tracked pieces of work that agents claim.
 *
 *   create -> open -> claim (one winner) -> in_progress -> close
 *                      ^ unclaim, release, expiry, a stall or the owner's end return it to the queue
 *
 * A claim is a lease renewed by any call of its live owner.
 * Invariant: at any instant a work item has at most one live owner, and its fencing token never goes back.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { WorkItemId, WorkItemKey } from "./ids.ts";
import { allInput, ofProject, pageInput, pageOf, ProjectName, TimeMs } from "./page.ts";

export const WorkItemStatus = z.enum(["open", "in_progress", "blocked", "closed"]);
export type WorkItemStatus = z.infer<typeof WorkItemStatus>;

/** What its owner last said about how far it is. */
export const Progress = z.object({
  note: z.string(),
  percent: z.int().optional(),
  by: AgentRef,
  at: TimeMs,
});
export type Progress = Readonly<z.infer<typeof Progress>>;

const Stuck = z.object({ reason: z.string(), by: AgentRef, at: TimeMs });
const HandoffRequest = z.object({ to: AgentRef, by: AgentRef, at: TimeMs });

const Lease = z.object({ fencingToken: z.int(), expiresAt: TimeMs });

export const WorkItem = z.object({
  id: WorkItemId,
  title: z.string(),
  body: z.string().optional(),
  type: z.string(),
  priority: z.int().describe("0 is the most urgent, 4 the least"),
  status: WorkItemStatus,
  labels: z.array(z.string()),
  parent: WorkItemId.optional(),
  dependsOn: z.array(WorkItemId).describe("Items that must be closed first"),
  relatesTo: z.array(WorkItemId),
  discoveredFrom: z.array(WorkItemId).describe("Items whose work led to this one"),
  externalId: z.string().optional().describe("Its id in the tracker it was imported from"),
  owner: AgentRef.optional(),
  attempts: z.int().describe("How often it was claimed again"),
  version: z.int(),
  createdAt: TimeMs,
  updatedAt: TimeMs,
  claimedAt: TimeMs.optional().describe("When its current owner claimed it"),
  blockedReason: z.string().optional(),
  closedReason: z.string().optional(),
  progress: Progress.optional(),
  stuck: Stuck.optional().describe("Why it is stuck; others may take it over"),
  askedAt: TimeMs.optional().describe("Since when its owner is asked whether it continues"),
  handoffRequest: HandoffRequest.optional().describe("Agent that asked its owner for it"),
});
export type WorkItem = Readonly<z.infer<typeof WorkItem>>;

const Title = z.string().trim().min(1).max(300);
const Body = z.string().max(100_000);
const Type = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
const Priority = z.int().min(0).max(4);
const Label = z
  .string()
  .max(80)
  .regex(/^[^\s,]+$/, "a label has no spaces and no commas");
const Labels = z.array(Label).max(50);
const Links = z.array(WorkItemKey).max(200);

export const create = defineOperation({
  name: "work-item.create",
  summary: "Add a work item",
  http: "POST /v1/work-items",
  actor: "agent",
  input: z.strictObject({
    title: Title.describe("One line that describes the finished state"),
    body: Body.optional().describe("Details"),
    type: Type.default("change").describe("Kind of work, for example bug"),
    priority: Priority.default(2).describe("0 is the most urgent, 4 the least"),
    labels: Labels.default([]).describe("needs:<capability> asks for an agent that has it"),
    parent: WorkItemKey.optional(),
    dependsOn: Links.default([]).describe("Items that must be closed first"),
    relatesTo: Links.default([]),
    discoveredFrom: Links.default([]),
    project: ProjectName.optional(),
  }),
  output: z.object({ workItem: WorkItem }),
  errors: ["input.invalid", "work-item.not-found", "project.not-found", "agent.ended"],
  mcp: { listed: true },
  example: { title: "Rate-limit POST /orders", type: "feature", priority: 1 },
});

export const update = defineOperation({
  name: "work-item.update",
  summary: "Change a work item's text, priority or links, or block it; other fields stay",
  http: "POST /v1/work-items/{id}",
  actor: "agent",
  input: z.strictObject({
    id: WorkItemKey.describe("Work item id"),
    title: Title.optional(),
    body: Body.optional().describe("Details"),
    type: Type.optional().describe("Kind of work, for example bug"),
    priority: Priority.optional().describe("0 is the most urgent, 4 the least"),
    labels: Labels.optional().describe("Its new labels; replaces the old ones"),
    parent: z
      .union([WorkItemKey, z.literal("")])
      .optional()
      .describe("Parent item; empty for none"),
    dependsOn: Links.optional().describe("Items that must be closed first; replaces the old list"),
    relatesTo: Links.optional().describe("Related items; replaces the old list"),
    discoveredFrom: Links.optional().describe("Items whose work led to it; replaces the old list"),
    status: z.enum(["open", "blocked"]).optional().describe("blocked: it cannot be claimed until it is open again"),
    reason: z.string().trim().min(1).max(2000).optional().describe("Why it is blocked"),
  }),
  output: z.object({ workItem: WorkItem }),
  errors: [
    "input.invalid",
    "work-item.not-found",
    "work-item.cycle",
    "work-item.closed",
    "claim.taken",
    "agent.ended",
    "caller.denied",
  ],
  example: { id: "wrk_01jd8q3m7k4x9t2v5b8n1c", priority: 0, labels: ["lang:ts"] },
});

const ListedWorkItem = WorkItem.extend(ofProject);

export const list = defineOperation({
  name: "work-item.list",
  summary: "List work items, newest first",
  http: "GET /v1/work-items",
  actor: "anyone",
  input: z.strictObject({
    status: WorkItemStatus.optional(),
    label: Label.optional().describe("Only items with this label"),
    parent: WorkItemKey.optional().describe("Only parts of this item"),
    ...allInput,
    ...pageInput,
  }),
  output: pageOf(ListedWorkItem),
  errors: ["input.invalid", "work-item.not-found", "caller.denied"],
  example: { status: "open" },
});

export const ready = defineOperation({
  name: "work-item.ready",
  summary: "List work items you can claim now, best first",
  http: "GET /v1/work-items/ready",
  actor: "anyone",
  input: z.strictObject({
    for: z.string().min(1).max(80).optional().describe('"me" or an agent: the items that suit it best come first'),
    limit: z.int().min(1).max(500).default(20).describe("Most items to return"),
    ...allInput,
  }),
  output: z.object({ items: z.array(ListedWorkItem) }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  mcp: { listed: true },
  example: { limit: 5 },
});

const byId = z.strictObject({ id: WorkItemKey.describe("Work item id") });
const exampleId = { id: "wrk_01jd8q3m7k4x9t2v5b8n1c" as WorkItemId };

/** What the last owner leaves to the next: enough to go on where it stopped. */
export const HandoffRecord = z.object({
  from: AgentRef,
  how: z.enum(["unclaimed", "released", "expired", "stalled", "stuck", "gone", "handed-over"]),
  claimedAt: TimeMs.optional(),
  endedAt: TimeMs,
  stuckReason: z.string().optional(),
  progress: z.array(Progress).describe("Newest first"),
  files: z.array(z.string()).describe("Paths and globs the last owner had reserved"),
});
export type HandoffRecord = Readonly<z.infer<typeof HandoffRecord>>;

export const get = defineOperation({
  name: "work-item.get",
  summary: "Show one work item",
  http: "GET /v1/work-items/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({ workItem: WorkItem, lease: Lease.optional(), handoff: HandoffRecord.optional() }),
  errors: ["input.invalid", "work-item.not-found", "caller.denied"],
  example: exampleId,
});

export const claim = defineOperation({
  name: "work-item.claim",
  summary: "Claim a work item; exactly one of any number of racing agents wins",
  http: "POST /v1/work-items/{id}/claim",
  actor: "agent",
  input: byId,
  output: z.object({ workItem: WorkItem, lease: Lease, handoff: HandoffRecord.optional() }),
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
  input: byId.extend({
    reason: z.string().max(2000).default("done").describe("What was done, or why it was not done"),
    fencingToken: z
      .int()
      .min(1)
      .optional()
      .describe("The fencing token of your claim; refused as lost after the claim ended"),
  }),
  output: afterwards,
  errors: [
    "input.invalid",
    "work-item.not-found",
    "claim.taken",
    "work-item.closed",
    "lease.lost",
    "caller.denied",
    "agent.ended",
  ],
  mcp: { listed: true },
  example: { ...exampleId, reason: "done" },
});

const fact = z.object({ workItem: WorkItem });
const claimFact = fact.extend({ owner: AgentRef, fencingToken: z.int(), ttlMs: z.int(), stallAfterMs: z.int() });
export const WorkItemCreated = defineEvent("work-item.created", 1, "A work item was added", fact);
export const WorkItemClaimed = defineEvent("work-item.claimed", 1, "An agent claimed the work item", claimFact);
export const WorkItemUpdated = defineEvent("work-item.updated", 1, "Its text, priority, links or block changed", fact);
export const WorkItemReleased = defineEvent(
  "work-item.released",
  1,
  "The owner released it, ended, stalled or was stuck",
  fact.extend({ formerOwner: AgentRef, how: HandoffRecord.shape.how }),
);
export const WorkItemClaimExpired = defineEvent(
  "work-item.claim-expired",
  1,
  "The owner was silent for too long",
  fact.extend({ formerOwner: AgentRef }),
);
export const WorkItemClosed = defineEvent("work-item.closed", 1, "A work item was closed", fact);
