/**
 * Findings: structured observations with a place and evidence, made by checks and by agents.
 *
 *   a check of a run    -> Finding (in the run's record)
 *   finding.add         -> Finding + who, what became of it = PublishedFinding -> peers, while the work continues
 *
 * Reports of the same category at the same place are one finding; its first report gives it its id.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { FindingId, RunId, WorkItemId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";
import { WorkItem } from "./work-item.ts";

export const FindingSeverity = z.enum(["blocking", "important", "informational"]);
const FindingLevel = z.enum(["critical", "high", "medium", "low", "info"]);
export type FindingLevel = z.infer<typeof FindingLevel>;

export const FindingPlace = z.strictObject({
  path: z.string().min(1).max(4096).describe("Path in the repository"),
  line: z.int().min(1).max(10_000_000).optional(),
});

export const Finding = z.object({
  id: FindingId,
  severity: FindingSeverity,
  level: FindingLevel.optional().describe("A checker's own scale: critical and high block, medium is important"),
  category: z.string().describe("Kind of check that found it: lint, types, tests, …"),
  summary: z.string(),
  files: z.array(z.object({ path: z.string(), line: z.int().optional() })),
  evidence: z.string().optional().describe("Output of the tool"),
  by: z.string().describe("Role or agent that found it"),
  thread: z.string().optional(),
  run: RunId.optional(),
});
export type Finding = Readonly<z.infer<typeof Finding>>;

export const FindingStatus = z.enum(["open", "accepted", "discarded", "fixed"]);
export type FindingStatus = z.infer<typeof FindingStatus>;

const FindingReport = z.object({ agent: AgentRef, model: z.string().optional(), reportedAt: TimeMs });
const FindingMark = z.object({ by: AgentRef, why: z.string(), markedAt: TimeMs });

export const PublishedFinding = Finding.extend({
  agent: AgentRef.describe("Who reported it first"),
  status: FindingStatus,
  mark: FindingMark.optional().describe("The agent that set the status, and its reason"),
  reports: z.array(FindingReport).describe("Everyone who reported it"),
  agreement: z.int().describe("How many independent reporters: agents on the same model count once"),
  workItem: WorkItemId.optional(),
  publishedAt: TimeMs,
});
export type PublishedFinding = Readonly<z.infer<typeof PublishedFinding>>;

const Category = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "a category is lower-case letters, digits and dashes")
  .describe("Kind of problem: correctness, security, lint, …");
const Thread = z
  .string()
  .min(1)
  .max(120)
  .describe("Thread of work it belongs to, for example a message or work item id");
const othersText = ["summary", "evidence", "why", "topic"] as const;

export const add = defineOperation({
  name: "finding.add",
  summary: "Publish a finding; one with the same place and category as a known finding is merged into it",
  http: "POST /v1/findings",
  actor: "agent",
  input: z.strictObject({
    summary: z.string().trim().min(1).max(500).describe("One sentence: what is wrong"),
    severity: FindingSeverity.optional().describe("blocking, important or informational; by default from the level"),
    level: FindingLevel.optional().describe("critical, high, medium, low or info, where a checker says so"),
    category: Category,
    files: z.array(FindingPlace).max(50).default([]).describe("Places, as path:line"),
    evidence: z.string().max(20_000).optional().describe("Evidence: output, a quotation"),
    thread: Thread.optional(),
    run: RunId.optional().describe("Run it belongs to"),
    model: z.string().min(1).max(120).optional().describe("Model that found it"),
  }),
  output: z.object({
    finding: PublishedFinding,
    merged: z.boolean().describe("It was known already"),
    notified: z.array(AgentRef).describe("Live agents a blocking finding was sent to"),
  }),
  errors: ["input.invalid", "agent.ended"],
  mcp: { untrusted: othersText },
  example: {
    summary: "parse() drops the last order",
    severity: "blocking",
    category: "correctness",
    files: [{ path: "src/orders.ts", line: 42 }],
  },
});

export const list = defineOperation({
  name: "finding.list",
  summary: "List findings of all agents, newest first; filter by file, severity, status, thread or run",
  http: "GET /v1/findings",
  actor: "anyone",
  input: z.strictObject({
    path: z.string().min(1).max(4096).optional().describe("Only findings in this file"),
    severity: FindingSeverity.optional(),
    status: FindingStatus.optional(),
    category: Category.optional(),
    thread: Thread.optional(),
    run: RunId.optional(),
    workItem: WorkItemId.optional().describe("Only the finding this work item was made from"),
    peers: z.boolean().default(false).describe("Leave out findings that only you reported"),
    ...pageInput,
    limit: z.int().min(1).max(200).default(50).describe("Most findings to return"),
  }),
  output: pageOf(PublishedFinding),
  errors: ["input.invalid"],
  mcp: { name: "fetch_peer_findings", untrusted: othersText },
  example: { severity: "blocking", status: "open" },
});

const byId = z.strictObject({ id: FindingId.describe("Finding id") });
const exampleId = { id: "fnd_01jd8q3m7k4x9t2v5b8n1c" };
const oneErrors = ["input.invalid", "finding.not-found", "caller.denied"] as const;

export const get = defineOperation({
  name: "finding.get",
  summary: "Show one finding with its evidence and reporters",
  http: "GET /v1/findings/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({ finding: PublishedFinding }),
  errors: oneErrors,
  mcp: { untrusted: othersText },
  example: exampleId,
});

export const mark = defineOperation({
  name: "finding.mark",
  summary: "Mark a finding accepted, discarded or fixed, with a reason; fixed also closes its work item",
  http: "POST /v1/findings/{id}/mark",
  actor: "agent",
  input: byId.extend({
    status: FindingStatus.exclude(["open"]),
    why: z.string().trim().min(1).max(2000).describe("Reason"),
  }),
  output: z.object({
    finding: PublishedFinding,
    workItem: WorkItem.optional().describe("The work item made from it; still open if another agent owns it"),
  }),
  errors: [...oneErrors, "agent.ended"],
  mcp: { untrusted: othersText },
  example: { ...exampleId, status: "accepted", why: "reproduced with npm test" },
});

export const promote = defineOperation({
  name: "finding.promote",
  summary: "Create a work item from a finding; they link to each other, and fixing one updates the other",
  http: "POST /v1/findings/{id}/work-item",
  actor: "agent",
  input: byId.extend({ priority: z.int().min(0).max(4).optional().describe("By default from the severity") }),
  output: z.object({ finding: PublishedFinding, workItem: WorkItem }),
  errors: [...oneErrors, "agent.ended"],
  mcp: { untrusted: othersText },
  example: exampleId,
});

const Investigation = z.object({
  agent: AgentRef,
  topic: z.string(),
  files: z.array(z.string()),
  startedAt: TimeMs,
});
export type Investigation = Readonly<z.infer<typeof Investigation>>;

export const investigate = defineOperation({
  name: "finding.investigate",
  summary: "Announce an investigation; the answer lists agents with a similar one and their findings",
  http: "POST /v1/findings/investigations",
  actor: "agent",
  input: z.strictObject({
    topic: z.string().trim().min(1).max(300).describe("Subject of the investigation, in a few words"),
    files: z.array(z.string().min(1).max(4096)).max(50).default([]).describe("Paths or globs it is about"),
    done: z.boolean().default(false).describe("Stop investigating"),
  }),
  output: z.object({
    investigation: Investigation.optional(),
    similar: z.array(Investigation.extend({ shared: z.string(), findings: z.array(PublishedFinding) })),
  }),
  errors: ["input.invalid", "agent.ended"],
  mcp: { untrusted: othersText },
  example: { topic: "orders are lost on restart", files: ["src/orders.ts"] },
});

const fact = z.object({ finding: PublishedFinding });
export const FindingPublished = defineEvent(
  "finding.published",
  1,
  "An agent published a finding",
  fact.extend({ merged: z.boolean() }),
);
export const FindingMarked = defineEvent("finding.marked", 1, "A finding was accepted, discarded or fixed", fact);
export const FindingPromoted = defineEvent("finding.promoted", 1, "A finding became a work item", fact);
export const InvestigationAnnounced = defineEvent(
  "finding.investigation-announced",
  1,
  "An agent started or stopped an investigation",
  z.object({ agent: AgentRef, investigation: Investigation.optional() }),
);
