/**
 * Questions: what somebody asks, whom the Guide takes it to, and what they answer.
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
  data: z.record(z.string(), z.unknown()).optional().describe("The same as values: files, runs, a command"),
});
const routed = {
  to: RoleName,
  by: RoutedBy.describe("What decided: a tag, an earlier decision, the rules, or a model"),
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
  summary: "Ask a question; the Guide takes it to the role that can answer",
  http: "POST /v1/ask",
  actor: "anyone",
  input: z.strictObject({
    input: Question,
    project: z.strictObject({ path: z.string().min(1).max(4096).describe("Any folder inside the repository") }),
    session: SessionId.optional().describe("Session to ask in; without it the project's own for questions"),
    confirm: Addressable.optional().describe("Whom it is for, when the Guide was not sure; it learns from that"),
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
  summary: "Show whom a question would go to and how every role scores; sends nothing",
  http: "GET /v1/ask/routes",
  actor: "anyone",
  input: z.strictObject({
    input: Question,
    session: SessionId.optional().describe("Session whose routes count; without it the project's own for questions"),
  }),
  output: z.object({
    decision: z.object({
      ...routed,
      to: z.array(RoleName).describe("Nobody when nobody fits"),
      band: z
        .enum(["execute", "log", "confirm", "reject"])
        .describe("What would be done: carried out, carried out and logged, only if confirmed, refused"),
    }),
    candidates: z.array(
      z.object({
        name: RoleName,
        score: z.number(),
        evidence: z.number().describe("Its score without its priority"),
        because: z.array(z.string()),
        barred: z.string().optional().describe("Why it may not get this question, whatever its score"),
      }),
    ),
    classifier: z
      .object({ provider: z.string(), lastFailure: z.string().optional() })
      .optional()
      .describe("The model that would be asked whom it is for, because the rules are not sure"),
  }),
  errors: ["input.invalid", ...sessionErrors],
  example: { input: "what did we try last week?" },
});

const counts = z.record(z.string(), z.int());

export const metrics = defineOperation({
  name: "ask.metrics",
  summary: "Show what the Guide routed, by what, and what it could not deliver",
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
  "A question was taken to a role, or to several, and answered",
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
  "A question was not answered: nobody surely fits it, or whoever was asked could not answer",
  z.object({ session: SessionId, request: z.string(), code: z.string(), reason: z.string(), ms: z.int() }),
);

export const AskClassified = defineEvent(
  "ask.classified",
  1,
  "A model was asked whom a question is for, because the rules were not sure",
  z.object({
    session: SessionId,
    model: z.string(),
    to: RoleName.optional().describe("Nobody when it said nobody, or nothing of use"),
    confidence: z.number().optional(),
    cost: RunCost,
    ms: z.int(),
  }),
);
