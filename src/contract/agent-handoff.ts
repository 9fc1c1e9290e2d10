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

/** Processes of a killed session that outlived its client: its reservations wait for them, within a limit. */
const LeftProcesses = z.object({
  processes: z.array(
    z.object({
      pid: z.int(),
      start: z.string().describe("Its start, as the system tells it: another process may get its pid later"),
      command: z.string(),
      state: z.enum(["running", "ended", "stopped"]).describe("As last seen; stopped: by Sylk (agents.leftProcesses)"),
    }),
  ),
  changed: z.array(z.string()).describe("Files it held that changed after its client was gone"),
  overAt: TimeMs.optional().describe("When its reservations were released; absent while they wait"),
});
export type LeftProcesses = Readonly<z.infer<typeof LeftProcesses>>;

/** What was in the agent's hands at one moment. */
export const Belongings = z.object({
  reservations: z.array(HeldReservation),
  workItems: z.array(z.object({ id: WorkItemId, title: z.string() })),
  children: z.array(AgentRef).describe("Sub-agents that were running"),
  left: LeftProcesses.optional().describe("Processes that outlived its client"),
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
