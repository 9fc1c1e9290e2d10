/**
 * Health: how hooks, adapters, tools, agents, providers and the daemon's own parts do.
 *
 *   health.report -> counters per component (and agent) -> incidents -> who, status, session start, events
 *
 * Several failures with one cause are one incident. It stays open until its parts work again for a while, or until
 * a person resolves it. What was never measured is not "fine": it is said to be unmeasured.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { IncidentId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const ReportedKind = z.enum(["hook", "adapter", "tool", "agent", "provider"]);
const ComponentKind = z.enum([...ReportedKind.options, "daemon"]);
export type ComponentKind = z.infer<typeof ComponentKind>;

export const Outcome = z.enum(["ok", "failed", "timed-out", "degraded", "edit-without-read", "unguarded"]);
export type Outcome = z.infer<typeof Outcome>;

export const Cause = z.enum(["daemon-down", "disk-full", "store-locked", "store-unusable", "provider-down", "unknown"]);
export type Cause = z.infer<typeof Cause>;

const Count = z.int().min(0);

export const HealthReport = z.strictObject({
  kind: ReportedKind,
  component: z.string().trim().min(1).max(80).describe("Name of the hook, tool, adapter, agent or provider"),
  agent: z.string().trim().min(1).max(120).optional().describe("Agent it worked for; by default the caller"),
  outcome: Outcome.describe("degraded: it ran without protection; unguarded: its write targets are unknown"),
  ms: z.int().min(0).max(86_400_000).optional().describe("How long it took"),
  error: z.string().max(2_000).optional().describe("What went wrong"),
  cause: Cause.optional().describe("Where the reporter knows it; by default read from the error"),
  label: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .describe("Label of the model it worked with; what is labelled rehearsal is counted and is never an incident"),
});

export const Component = z.object({
  kind: ComponentKind,
  name: z.string(),
  agent: z.string().optional().describe("Agent it works for, by name"),
  calls: Count.describe("Everything that was reported of it"),
  failures: Count,
  timeouts: Count,
  degraded: Count.describe("Times it ran without protection"),
  editsWithoutRead: Count,
  unguarded: Count.describe("Times it allowed a command with unknown write targets"),
  latency: z.object({ count: Count, meanMs: z.number(), p95Ms: z.number(), maxMs: z.number() }).optional(),
  lastError: z.string().optional(),
  lastFailureAt: TimeMs.optional(),
  lastReportAt: TimeMs,
});
export type Component = Readonly<z.infer<typeof Component>>;

export const Incident = z.object({
  id: IncidentId,
  cause: Cause.describe("Likely root cause"),
  rule: z.enum(["correlated", "repeated", "agent-failing"]).describe("What made it an incident"),
  summary: z.string(),
  components: z.array(z.string()),
  failures: Count,
  lastError: z.string().optional(),
  openedAt: TimeMs,
  lastFailureAt: TimeMs,
  escalatedAt: TimeMs.optional().describe("More than 3 failures in 5 minutes, or 3 of one agent in an hour"),
  resolvedAt: TimeMs.optional(),
  resolution: z.enum(["quiet", "silent", "by-hand"]).optional(),
  resolvedWhy: z.string().optional(),
  fix: z.string().describe("What to do about it"),
});
export type Incident = Readonly<z.infer<typeof Incident>>;

const othersText = ["name", "lastError", "summary", "components", "resolvedWhy"] as const;

export const report = defineOperation({
  name: "health.report",
  summary: "Report results of hooks, adapters, tools, agents or providers, including calls made without protection",
  http: "POST /v1/health/reports",
  actor: "anyone",
  input: z.strictObject({ reports: z.array(HealthReport).min(1).max(200) }),
  output: z.object({ counted: Count, incidents: Count.describe("Unresolved incidents") }),
  errors: ["input.invalid"],
  example: { reports: [{ kind: "hook", component: "pre-edit", outcome: "failed", ms: 12, error: "disk is full" }] },
});

/** fail-open: lets pass, and reports it as degraded. */
const GuardMode = z.enum(["fail-open", "fail-closed"]);

/** stopped: it was measured and is silent now although its agent works; never: nothing has reported for it. */
const MeasurementState = z.enum(["measured", "stopped", "never"]);
export type MeasurementState = z.infer<typeof MeasurementState>;

export const show = defineOperation({
  name: "health.show",
  summary: "Show the health of every component, silent reporters and unresolved incidents",
  http: "GET /v1/health",
  actor: "anyone",
  input: z.strictObject({
    kind: ComponentKind.optional().describe("Only components of this kind"),
    agent: z.string().min(1).max(120).optional().describe("Only what works for this agent, by name or id"),
  }),
  output: z.object({
    enforced: z.boolean().describe("False while the store refuses changes: agents are unprotected then"),
    whyNot: z.string().optional(),
    components: z.array(Component),
    agents: z.array(z.object({ agent: AgentRef, measurement: MeasurementState, lastReportAt: TimeMs.optional() })),
    incidents: z.array(Incident).describe("Unresolved ones"),
    degraded: Count.describe("Total decisions made without protection"),
    unguarded: Count.describe("Total commands allowed with unknown write targets"),
    guards: z
      .object({ edit: GuardMode, commit: GuardMode })
      .describe("Each guard's rule when the daemon does not answer: settings guard.edit and guard.commit"),
  }),
  errors: ["input.invalid"],
  mcp: { untrusted: othersText },
  example: { kind: "hook" },
});

export const greeting = defineOperation({
  name: "health.greeting",
  summary: "Show the session start line: other agents, unresolved incidents, unknown facts",
  http: "GET /v1/health/greeting",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({
    line: z.string(),
    others: z.array(z.string()).nullable().describe("Names of the other live agents; null when it is not known"),
    enforced: z.boolean(),
    incidents: Count,
  }),
  errors: [],
  mcp: { untrusted: ["line", "others"] },
  example: {},
});

export const list = defineOperation({
  name: "incident.list",
  summary: "List unresolved incidents, newest first, or all of them",
  http: "GET /v1/incidents",
  actor: "anyone",
  input: z.strictObject({
    all: z.boolean().default(false).describe("Also resolved ones"),
    ...pageInput,
  }),
  output: pageOf(Incident),
  errors: ["input.invalid"],
  mcp: { untrusted: othersText },
  example: { all: true, limit: 20 },
});

export const resolve = defineOperation({
  name: "incident.resolve",
  summary: "Resolve an incident; further failures open a new one",
  http: "POST /v1/incidents/{id}/resolve",
  actor: "user",
  input: z.strictObject({
    id: IncidentId.describe("Incident id"),
    why: z.string().trim().min(1).max(500).optional().describe("How it was resolved"),
  }),
  output: z.object({ incident: Incident }),
  errors: ["input.invalid", "caller.denied", "incident.not-found"],
  mcp: { untrusted: othersText },
  example: { id: "inc_01jd8q3m7k4x9t2v5b8n1c", why: "made room on the disk" },
});

const fact = z.object({ incident: Incident });
export const IncidentOpened = defineEvent("health.incident-opened", 1, "Failures became an incident", fact);
export const IncidentEscalated = defineEvent("health.incident-escalated", 1, "An incident keeps failing", fact);
export const IncidentResolved = defineEvent("health.incident-resolved", 1, "An incident was resolved", fact);
