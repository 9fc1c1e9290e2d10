/**
 * Questions: the text, the agent that the Guide takes it to, and its answer.
 *
 *   ask.send -> tag | caches | rules -> one role -> answer      ask.routes -> the same decision, nothing is sent
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { MessageId, SessionId } from "./ids.ts";
import { RoleName } from "./message.ts";
import { TimeMs } from "./page.ts";
import { RunCost } from "./run.ts";

/** Those a person may address. */
const Addressable = z.enum(["architect", "librarian", "academic", "archivalist", "inspector", "tester"]);
const RoutedBy = z.enum(["tag", "session-cache", "global-cache", "rules", "model"]);
const Question = z
  .string()
  .trim()
  .min(1)
  .max(20_000)
  .describe("What you want to know; may begin with a tag such as @to:librarian");
const Answer = z.object({
  text: z.string(),
  data: z.record(z.string(), z.unknown()).optional().describe("The same as structured values: files, runs, a command"),
});
const routed = {
  to: RoleName,
  by: RoutedBy.describe("How it was decided: a tag, an earlier decision, the rules or a model"),
  confidence: z.number().describe("0 to 1"),
  intent: z.string(),
  domain: z.string(),
};

/** Of what needs the session in memory. */
const sessionErrors = [
  "session.not-found",
  "session.not-possible",
  "session.snapshot-damaged",
  "session.snapshot-newer",
] as const;

export const send = defineOperation({
  name: "ask.send",
  summary: "Ask a question; the Guide sends it to the role that can answer it",
  http: "POST /v1/ask",
  actor: "anyone",
  input: z.strictObject({
    input: Question,
    project: z.strictObject({ path: z.string().min(1).max(4096).describe("Any folder inside the repository") }),
    session: SessionId.optional().describe("Session to ask in; default: the project's session for questions"),
    confirm: Addressable.optional().describe("Role it is for, when the Guide was not sure; the Guide learns from it"),
    priority: z.int().min(0).max(100).optional().describe("Urgency of its messages, 0 to 100 (default 50)"),
    timeoutMs: z.int().min(1).max(600_000).default(120_000).describe("How long to wait for the answer"),
    provider: z.string().min(1).max(60).optional().describe("Configured provider, for roles that ask a model"),
    rehearse: z.string().min(1).max(4096).optional().describe("Scenario file that a scripted model plays instead"),
  }),
  output: z.object({
    session: SessionId,
    correlationId: MessageId,
    ...routed,
    answer: Answer,
    model: z.string().optional().describe("Which model answered; absent when none was asked"),
    label: z.string().optional().describe('"rehearsal" when a scripted model answered'),
    answers: z
      .array(z.object({ to: RoleName, answer: Answer.optional(), error: z.string().optional() }))
      .optional()
      .describe("One for each, after @broadcast"),
  }),
  errors: [
    "input.invalid",
    "project.not-found",
    ...sessionErrors,
    "caller.denied",
    "route.unsure",
    "route.unknown",
    "role.unavailable",
    "role.busy",
    "provider.missing",
    "provider.not-found",
    "workspace.unavailable",
    "run.not-found",
  ],
  mcp: { untrusted: ["text", "summary", "evidence", "error"] },
  verbatim: ["project", "rehearse"],
  example: { input: "where is the cart's total computed?", project: { path: "/home/ada/shop" } },
});

export const routes = defineOperation({
  name: "ask.routes",
  summary: "Show which role would get a question, and every role's score, without sending it",
  http: "GET /v1/ask/routes",
  actor: "anyone",
  input: z.strictObject({
    input: Question,
    session: SessionId.optional().describe("Session whose routes apply; default: the project's session for questions"),
  }),
  output: z.object({
    decision: z.object({
      ...routed,
      to: z.array(RoleName).describe("Absent when no role fits"),
      band: z
        .enum(["execute", "log", "confirm", "reject"])
        .describe("Whether it would be carried out, carried out and logged, confirmed first, or refused"),
    }),
    candidates: z.array(
      z.object({
        name: RoleName,
        score: z.number(),
        evidence: z.number().describe("Its score without its priority"),
        because: z.array(z.string()),
        barred: z.string().optional().describe("Why it may not get this question despite its score"),
      }),
    ),
    classifier: z
      .object({ provider: z.string(), lastFailure: z.string().optional() })
      .optional()
      .describe("Model that would choose the role, because the rules are not sure"),
  }),
  errors: ["input.invalid", ...sessionErrors],
  example: { input: "what did we try last week?" },
});

const counts = z.record(z.string(), z.int());

export const metrics = defineOperation({
  name: "ask.metrics",
  summary: "Show how the Guide routed messages, and which it could not deliver",
  http: "GET /v1/ask/metrics",
  actor: "user",
  input: z.strictObject({ session: SessionId.optional().describe("Only this session") }),
  output: z.object({
    sessions: z.int().describe("Open ones"),
    globalRoutes: z.int().describe("Routes that all sessions share"),
    counts,
    session: z
      .object({
        id: SessionId,
        counts,
        pending: z.int(),
        cachedRoutes: z.int(),
        cacheHits: z.int(),
        agents: z.array(
          z.object({
            name: RoleName,
            shared: z.boolean().describe("Answers in every session"),
            health: z.enum(["healthy", "unhealthy", "dead"]),
            circuit: z.enum(["closed", "open", "half-open"]),
            waiting: z.int(),
            p50Ms: z.number().optional(),
            p99Ms: z.number().optional(),
          }),
        ),
      })
      .optional(),
    undelivered: z.array(
      z.object({
        session: SessionId,
        to: RoleName,
        type: z.string(),
        reason: z.string(),
        attempts: z.int(),
        error: z.string(),
        at: TimeMs,
      }),
    ),
  }),
  errors: ["input.invalid", "caller.denied", "session.not-found"],
  example: {},
});

export const AskAnswered = defineEvent(
  "ask.answered",
  1,
  "One or several roles answered a question",
  z.object({
    session: SessionId,
    correlationId: MessageId,
    ...routed,
    to: z.array(RoleName),
    request: z.string(),
    model: z.string().optional(),
    ms: z.int(),
  }),
);

export const AskFailed = defineEvent(
  "ask.failed",
  1,
  "A question was not answered: no role clearly fits it, or the role could not answer",
  z.object({ session: SessionId, request: z.string(), code: z.string(), reason: z.string(), ms: z.int() }),
);

export const AskClassified = defineEvent(
  "ask.classified",
  1,
  "A model chose the role of a question, because the rules were not sure",
  z.object({
    session: SessionId,
    model: z.string(),
    to: RoleName.optional().describe("Absent when the model named no known role"),
    confidence: z.number().optional(),
    cost: RunCost,
    ms: z.int(),
  }),
);
