/**
 * How a work item changes hands without being lost.
 *
 *   progress  the owner says how far it is                     (also the answer to every question below)
 *   stuck     the owner or an observer says it does not move   -> others may take it over
 *   handoff   another agent asks the owner for it              -> accept, decline, or silence of a stalled owner
 *   notices   what an agent should know about its items: questions, losses, who tried to claim them
 *
 * Invariant: an item passes from owner to owner in one transaction, and the new one gets the last one's handoff record.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { WorkItemId, WorkItemKey } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";
import { HandoffRecord, WorkItem } from "./work-item.ts";

const byId = z.strictObject({ id: WorkItemKey.describe("Work item id") });
const exampleId = { id: "wrk_01jd8q3m7k4x9t2v5b8n1c" };
const afterwards = z.object({ workItem: WorkItem });

export const progress = defineOperation({
  name: "work-item.progress",
  summary: "Report progress on a claimed work item; this also answers a stall question",
  http: "POST /v1/work-items/{id}/progress",
  actor: "agent",
  input: byId.extend({
    note: z.string().trim().min(1).max(2000).describe("What is done and what comes next"),
    percent: z.int().min(0).max(100).optional().describe("How much of it is done"),
  }),
  output: afterwards,
  errors: ["input.invalid", "work-item.not-found", "lease.lost", "caller.denied"],
  example: { ...exampleId, note: "Limiter written, tests next", percent: 60 },
});

export const stuck = defineOperation({
  name: "work-item.stuck",
  summary: "Mark a work item as stuck, so that others may take it over with its handoff record",
  http: "POST /v1/work-items/{id}/stuck",
  actor: "agent",
  input: byId.extend({ reason: z.string().trim().min(1).max(2000).describe("What blocks it") }),
  output: afterwards,
  errors: ["input.invalid", "work-item.not-found", "work-item.closed", "caller.denied", "agent.ended"],
  example: { ...exampleId, reason: "the staging database refuses connections" },
});

export const handoff = defineOperation({
  name: "work-item.handoff",
  summary: "Ask for a work item, answer such a request, or give your own item to another agent",
  http: "POST /v1/work-items/{id}/handoff",
  actor: "agent",
  input: byId.extend({
    to: z
      .string()
      .min(1)
      .max(80)
      .optional()
      .describe("Agent (name or id) that receives it; default: the one that asked"),
    answer: z.enum(["accept", "decline"]).optional().describe("The owner's answer to the request"),
  }),
  output: z.object({
    workItem: WorkItem,
    state: z.enum(["asked", "handed-over", "declined"]),
    handoff: HandoffRecord.optional().describe("For the new owner: the last owner's handoff record"),
  }),
  errors: [
    "input.invalid",
    "work-item.not-found",
    "work-item.closed",
    "work-item.blocked",
    "agent.not-found",
    "agent.ended",
    "claim.limit",
    "lease.lost",
    "handoff.not-asked",
    "handoff.pending",
    "caller.denied",
  ],
  example: exampleId,
});

export const Notice = z.object({
  sequence: z.int(),
  workItem: z.object({ id: WorkItemId, title: z.string() }),
  kind: z.enum([
    "claim-expired",
    "stall-asked",
    "stall-released",
    "taken-over",
    "claim-tried",
    "marked-stuck",
    "handoff-asked",
    "handoff-declined",
    "handed-over",
  ]),
  by: AgentRef.optional(),
  text: z.string().describe("One sentence: what happened, and what you can do"),
  at: TimeMs,
});
export type Notice = Readonly<z.infer<typeof Notice>>;

export const notices = defineOperation({
  name: "work-item.notices",
  summary: "List notices about an agent's work items, oldest first; pass nextCursor to continue",
  http: "GET /v1/work-items/notices",
  actor: "agent",
  input: z.strictObject(pageInput),
  output: pageOf(Notice),
  errors: ["input.invalid"],
  example: { limit: 20 },
});

const fact = z.object({ workItem: WorkItem });
const between = fact.extend({ owner: AgentRef, to: AgentRef });
export const WorkItemProgressed = defineEvent("work-item.progressed", 1, "The owner reported progress", fact);
export const WorkItemStuck = defineEvent("work-item.stuck", 1, "An agent marked it as stuck", fact);
export const WorkItemStallAsked = defineEvent(
  "work-item.stall-asked",
  1,
  "No progress for long: the owner was asked whether it continues",
  fact.extend({ owner: AgentRef, answerWithinMs: z.int() }),
);
export const WorkItemHandoffAsked = defineEvent(
  "work-item.handoff-asked",
  1,
  "An agent asked the owner for it",
  between.extend({ answerWithinMs: z.int() }),
);
export const WorkItemHandoffDeclined = defineEvent(
  "work-item.handoff-declined",
  1,
  "The owner keeps it: it declined, or it made progress",
  between,
);
export const WorkItemHandedOver = defineEvent(
  "work-item.handed-over",
  1,
  "It passed from one owner to the next",
  fact.extend({ formerOwner: AgentRef, owner: AgentRef, fencingToken: z.int(), ttlMs: z.int(), stallAfterMs: z.int() }),
);
