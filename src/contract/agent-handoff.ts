/**
 * Handoffs: what an agent that is gone leaves to its successor.
 *
 *   agent offline or ended -> what it held, claimed and whom it had started is kept -> agent.handoff reads the log for the rest
 *
 * For a live agent the same operation says what it would leave now.
 */
import * as z from "zod";
import { AgentRef, AgentStatus, OfflineReason } from "./agent.ts";
import { defineOperation } from "./define.ts";
import { AgentId, ReservationId, WorkItemId } from "./ids.ts";
import { TimeMs } from "./page.ts";

const HeldReservation = z.object({
  id: ReservationId,
  paths: z.array(z.string()),
  patterns: z.array(z.string()),
  mode: z.enum(["exclusive", "shared"]),
  scope: z.enum(["tree", "repository"]),
  ttlMs: z.int(),
  reason: z.string().optional(),
});

/** What was in the agent's hands at one moment. */
export const Belongings = z.object({
  reservations: z.array(HeldReservation),
  workItems: z.array(z.object({ id: WorkItemId, title: z.string() })),
  children: z.array(AgentRef).describe("Sub-agents that were running"),
});
export type Belongings = Readonly<z.infer<typeof Belongings>>;

const Step = z.object({
  at: TimeMs,
  type: z.string().describe("Type of the event"),
  subject: z.string().describe("Id of the thing it was about"),
  what: z.string().describe("The same for people"),
});

export const Handoff = z.object({
  agent: AgentRef,
  status: AgentStatus,
  tree: z.string(),
  branch: z.string().optional(),
  lastSeenAt: TimeMs,
  leftAt: TimeMs.optional().describe("When it ended or went offline; absent while it is live"),
  reason: z.enum([...OfflineReason.options, "ended"]).optional(),
  ...Belongings.shape,
  touched: z.array(z.string()).describe("Paths and globs it reserved, latest first: look there first"),
  step: Step.optional().describe("Last step it began and did not finish or release"),
  findings: z.array(Step).describe("Its latest findings, the newest first"),
  steps: z.array(Step).describe("Its latest steps, the newest first"),
});
export type Handoff = Readonly<z.infer<typeof Handoff>>;

export const get = defineOperation({
  name: "agent.handoff",
  summary: "Show an agent's handoff record: files held, work claimed, paths touched, sub-agents, step in progress",
  http: "GET /v1/agents/{id}/handoff",
  actor: "anyone",
  input: z.strictObject({ id: AgentId.describe("Agent id") }),
  output: z.object({ handoff: Handoff }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});
