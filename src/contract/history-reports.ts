/** Reports over the archive: sessions, timelines, workflows, what is similar, what was saved, and briefings. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import {
  ArchiveSession,
  FoundEntry,
  HistoryEntry,
  othersWords,
  readErrors,
  SearchAbout,
  Session,
  someSessions,
} from "./history.ts";
import { pageInput, TimeMs } from "./page.ts";

const Count = z.int().nonnegative();
const reads = { actor: "anyone", errors: readErrors, mcp: { untrusted: othersWords } } as const;
const few = z.int().min(1).max(100).default(10).describe("Most items to return");

const SessionSummary = z.object({
  session: ArchiveSession,
  entries: Count.describe("Entries that are not archived"),
  archived: Count,
  facts: Count,
  summaries: Count,
  categories: z.record(z.string(), Count),
  tokens: z
    .object({ used: Count, max: Count })
    .describe("Estimated tokens of its entries, and what they should stay below"),
  firstAt: TimeMs,
  lastAt: TimeMs,
  score: z.number().optional().describe("Best score of its entries for the words"),
});

export const sessions = defineOperation({
  ...reads,
  name: "history.sessions",
  summary: "List the sessions that have kept something, or those whose entries match, each with a summary",
  http: "GET /v1/history/sessions",
  input: z.strictObject({
    query: z.string().max(200).optional().describe("Only sessions with entries about these words, the best first"),
    session: ArchiveSession.optional().describe("Only this session"),
    limit: few,
  }),
  output: z.object({
    items: z.array(SessionSummary),
    current: ArchiveSession.optional().describe("Session of your own entries and queries"),
  }),
  example: { query: "discount" },
});

export const timeline = defineOperation({
  ...reads,
  name: "history.timeline",
  summary: "Show what a session has done, in the order in which it happened",
  http: "GET /v1/history/timeline",
  input: z.strictObject({ session: Session, ...pageInput }),
  output: z.object({
    session: ArchiveSession,
    items: z.array(
      HistoryEntry.pick({ id: true, category: true, title: true, at: true, source: true }).extend({
        status: z.string().optional(),
        reason: z.string().optional(),
      }),
    ),
    nextCursor: z.string().optional(),
  }),
  example: {},
});

const KnownWorkflow = z.object({
  key: z.string().describe("The same for runs of the same definition"),
  session: ArchiveSession.describe("Session that ran it first"),
  title: z.string(),
  executions: Count,
  createdAt: TimeMs,
  lastAt: TimeMs,
  outcomes: z.record(z.string(), Count).describe("How often its runs ended with each status"),
  nodes: z.array(
    z.object({
      title: z.string(),
      role: z.string().optional(),
      text: z.string().optional().describe("Beginning of its command or prompt"),
      dependsOn: z.array(z.string()),
    }),
  ),
});
export type KnownWorkflow = Readonly<z.infer<typeof KnownWorkflow>>;

export const workflows = defineOperation({
  ...reads,
  name: "history.workflows",
  summary: "List workflow definitions that were run, with how often and how they ended",
  http: "GET /v1/history/workflows",
  input: z.strictObject({ ...someSessions, limit: few }),
  output: z.object({ items: z.array(KnownWorkflow) }),
  example: { allSessions: true },
});

export const SimilarKind = z.enum(["workflow", "failure", "decision", "pattern"]);

export const similar = defineOperation({
  ...reads,
  name: "history.similar",
  summary: "Find past workflows, failures, decisions or patterns like a text, with a score and the method used",
  http: "GET /v1/history/similar",
  input: z.strictObject({
    text: z.string().min(1).max(2_000).describe("What it should be like, in words"),
    of: SimilarKind.default("workflow").describe("workflow, failure, decision or pattern"),
    minScore: z.number().min(0).default(0).describe("Leave out what scores lower"),
    ...someSessions,
    limit: few,
  }),
  output: z.object({ items: z.array(FoundEntry), about: SearchAbout }),
  example: { text: "add a discount to the cart", of: "workflow", allSessions: true },
});

const Tokens = z.object({
  avoided: Count.describe("Tokens of model calls that were not made"),
  context: Count.describe("Tokens of context that were not sent"),
  serving: Count.describe("Tokens that the answers cost instead"),
  saved: z.int().describe("avoided + context - serving"),
});
const Savings = z.object({
  measured: Tokens.describe("By the recorded cost of the original call"),
  estimated: Tokens.describe("By the size of the texts, four characters a token"),
  cacheHits: Count,
  skippedWork: Count,
  consultations: Count,
  queries: z.object({ session: Count, sessions: Count, all: Count, cached: Count }),
});
export type Savings = Readonly<z.infer<typeof Savings>>;

export const savings = defineOperation({
  ...reads,
  name: "history.savings",
  summary: "Report tokens that were not spent, by session and in total; measured and estimated are apart",
  http: "GET /v1/history/savings",
  input: z.strictObject({
    session: Session,
    allSessions: z.boolean().default(false).describe("All sessions of the project"),
  }),
  output: z.object({
    formula: z.string(),
    sessions: z.array(Savings.extend({ session: ArchiveSession })),
    total: Savings,
  }),
  example: { allSessions: true },
});

export const BriefTier = z.enum(["micro", "standard", "full"]);
const Warning = z.object({
  reason: z.string(),
  count: Count.describe("How often it was seen"),
  sessions: z.array(ArchiveSession),
  lastAt: TimeMs,
});
export type Warning = Readonly<z.infer<typeof Warning>>;

export const brief = defineOperation({
  ...reads,
  name: "history.brief",
  summary: "Brief a newcomer: the latest state, decisions, facts, failures seen at least twice, and similar work",
  http: "GET /v1/history/brief",
  input: z.strictObject({
    tier: BriefTier.default("standard").describe("micro: a few lines; standard: a page; full: all sections"),
    task: z.string().max(2_000).optional().describe("What is to be done: similar work is looked up for it"),
    ...someSessions,
  }),
  output: z.object({
    tier: BriefTier,
    text: z.string().describe("The briefing, ready to read"),
    tokens: Count.describe("Estimated tokens of the text"),
    entries: Count.describe("Entries that it was made from"),
    warnings: z.array(Warning).describe("Failures that were seen at least twice"),
  }),
  example: { tier: "micro" },
});
