/**
 * History: what the Archivalist keeps of the past, in one partition for each session.
 *
 *   a run ends, a role stores -> entry of its session -> query in that session (and what was promoted to all of them)
 *                                                     -> query across sessions, only where the caller asks for it
 *
 * Texts of entries were written by models and strangers: they are data, fenced before a model reads them.
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { SessionId } from "./ids.ts";
import { pageInput, TimeMs } from "./page.ts";

/** Entries of a store that an earlier release wrote without a session belong to this one. */
export const defaultSession = "default";
export const ArchiveSession = z
  .union([SessionId, z.literal(defaultSession)])
  .describe('Session id, or "default" for entries that were stored without one');
export type ArchiveSession = z.infer<typeof ArchiveSession>;

/** Sylk's own categories; a caller may add others. */
export const knownCategories = [
  "workflow",
  "session",
  "decision",
  "pattern",
  "failure",
  "insight",
  "issue",
  "task_state",
  "timeline",
  "user_voice",
  "user_preference",
  "hypothesis",
  "open_thread",
  "code_style",
  "codebase_map",
  "tool_discovery",
  "consultation",
  "research",
  "general",
] as const;
export const HistoryCategory = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, "a category is lower-case letters, digits and underscores")
  .describe(`Category: ${knownCategories.join(", ")}, or one of your own`);
export const EntryKind = z
  .enum(["entry", "fact", "summary"])
  .describe("entry: what happened; fact: a statement that holds; summary: a text in place of several entries");

const Promotion = z.object({ reason: z.string(), by: z.string(), at: TimeMs });

export const HistoryEntry = z.object({
  id: z.string().describe("Entry id; the entry of a run or session has the id of that run or session"),
  session: ArchiveSession.describe("Session that it was stored in"),
  category: z.string(),
  kind: EntryKind.optional(),
  title: z.string(),
  content: z.record(z.string(), z.unknown()),
  source: z.string().optional().describe("Role or agent that stored it"),
  at: TimeMs,
  tokens: z.int().optional().describe("Estimated tokens of title and content"),
  kept: z.boolean().optional().describe("Marked: compaction leaves it"),
  archived: z.boolean().optional().describe("Put away: a query needs --archived to see it"),
  promoted: Promotion.optional().describe("Visible to all sessions of the project, and why"),
});
export type HistoryEntry = Readonly<z.infer<typeof HistoryEntry>>;

export const FoundEntry = HistoryEntry.extend({
  score: z.number().optional().describe("How well it fits the words, the higher the better; absent without words"),
});
export type FoundEntry = Readonly<z.infer<typeof FoundEntry>>;

export const SearchAbout = z
  .object({
    method: z.enum(["bm25", "embedding", "newest"]).describe("How the entries were ranked"),
    threshold: z.number().describe("Entries with a lower score are left out"),
    candidates: z.int().describe("Entries that were scored"),
    cap: z.int().describe("Most entries that are scored: the newest that hold a word"),
    capped: z.boolean().describe("There were more candidates than the cap"),
    commonWords: z.array(z.string()).describe("Words that so many entries hold that they do not rank"),
  })
  .describe("How the search was done");
export type SearchAbout = Readonly<z.infer<typeof SearchAbout>>;

export const othersWords = ["title", "content", "reason", "text"] as const;
export const readErrors = ["input.invalid", "session.not-found"] as const;
export const changeErrors = [...readErrors, "caller.denied"] as const;
export const historyExample = { id: "ent_01jd8q3m7k4x9t2v5b8n1c" };
export const Session = ArchiveSession.optional().describe("Session; your current one by default");

/** Which sessions a question looks into: the caller's own unless others are named. */
export const someSessions = {
  session: Session,
  sessions: z.array(ArchiveSession).max(100).optional().describe("Only these sessions of the project"),
  allSessions: z.boolean().default(false).describe("All sessions of the project"),
};

export const longestTitle = 500;
export const largestContent = 32_768;

export const store = defineOperation({
  name: "history.store",
  summary: "Store an entry in a session of the archive",
  http: "POST /v1/history",
  actor: "agent",
  input: z.strictObject({
    title: z.string().trim().min(1).max(longestTitle).describe("One sentence: what it is about"),
    content: z.record(z.string(), z.unknown()).default({}).describe("What to keep, as JSON, at most 32 KiB"),
    category: HistoryCategory.default("general"),
    kind: EntryKind.default("entry"),
    keep: z.boolean().default(false).describe("Mark it: compaction leaves it"),
    session: Session,
  }),
  output: z.object({
    entry: HistoryEntry,
    budget: z.object({ used: z.int(), max: z.int() }).describe("Estimated tokens of the session's entries"),
  }),
  errors: changeErrors,
  mcp: { untrusted: othersWords },
  example: {
    title: "Round prices to whole cents",
    category: "decision",
    content: { why: "the ledger has no fractions" },
  },
});

export const list = defineOperation({
  name: "history.list",
  summary: "Search what your session has kept, newest or best first; other sessions only where you name them",
  http: "GET /v1/history",
  actor: "anyone",
  input: z.strictObject({
    query: z.string().max(200).optional().describe("Words to look for; an entry that holds more of them comes first"),
    ...someSessions,
    archived: z.boolean().default(false).describe("Archived entries too"),
    category: HistoryCategory.optional(),
    kind: EntryKind.optional(),
    source: z.string().min(1).max(80).optional().describe("Only entries that this role or agent stored"),
    status: z.string().min(1).max(40).optional().describe("Only entries whose content has this status"),
    failures: z.boolean().default(false).describe("Only failures, and work that could not be verified"),
    ...pageInput,
  }),
  output: z.object({
    items: z.array(FoundEntry),
    nextCursor: z.string().optional(),
    session: ArchiveSession.optional().describe("The session that was looked into; absent for several"),
    elsewhere: z.int().optional().describe("Entries of other sessions, where this one has none"),
    about: SearchAbout,
  }),
  errors: readErrors,
  mcp: { untrusted: othersWords },
  example: { query: "discount", allSessions: true },
});

const byId = z.strictObject({ id: z.string().min(1).max(60).describe("Entry id") });
const oneErrors = ["input.invalid", "entry.not-found", "caller.denied"] as const;
const oneEntry = z.object({ entry: HistoryEntry });

export const get = defineOperation({
  name: "history.get",
  summary: "Show one entry of the archive",
  http: "GET /v1/history/entries/{id}",
  actor: "anyone",
  input: byId,
  output: oneEntry,
  errors: ["input.invalid", "entry.not-found"],
  mcp: { untrusted: othersWords },
  example: historyExample,
});

export const mark = defineOperation({
  name: "history.mark",
  summary:
    "Mark an entry: keep it through compaction, archive it so that only queries with --archived show it, or undo either",
  http: "POST /v1/history/entries/{id}/mark",
  actor: "agent",
  input: byId.extend({
    mark: z.enum(["keep", "unkeep", "archive", "unarchive"]).describe("keep, unkeep, archive or unarchive"),
  }),
  output: oneEntry,
  errors: oneErrors,
  mcp: { untrusted: othersWords },
  example: { ...historyExample, mark: "keep" },
});

export const promote = defineOperation({
  name: "history.promote",
  summary: "Show an entry to all sessions of its project, with the reason, or revoke that",
  http: "POST /v1/history/entries/{id}/promote",
  actor: "agent",
  input: byId.extend({
    reason: z.string().trim().min(1).max(500).describe("Why all sessions should see it, or why no longer"),
    revoke: z.boolean().default(false).describe("Only its own session sees it again"),
  }),
  output: oneEntry,
  errors: oneErrors,
  mcp: { untrusted: othersWords },
  example: { ...historyExample, reason: "every change has to round this way" },
});

const shortEntry = HistoryEntry.pick({ id: true, session: true, category: true, title: true });
export const HistoryStored = defineEvent("history.stored", 1, "An entry was stored in the archive", shortEntry);
export const HistoryMarked = defineEvent(
  "history.marked",
  1,
  "An entry was kept, archived, or neither any more",
  shortEntry.extend({ mark: z.string() }),
);
export const HistoryPromoted = defineEvent(
  "history.promoted",
  1,
  "An entry was shown to all sessions of its project, or no longer",
  shortEntry.extend({ reason: z.string(), by: z.string(), revoked: z.boolean() }),
);
