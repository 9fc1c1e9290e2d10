/** Upkeep of the archive: compaction, snapshots, and the session that a person's entries go to. */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { ArchiveSession, changeErrors, Session } from "./history.ts";
import { TimeMs } from "./page.ts";

const Count = z.int().nonnegative();

export const compact = defineOperation({
  name: "history.compact",
  summary: "Replace old entries of a session, or of all, by one summary for each category; marked entries stay",
  http: "POST /v1/history/compact",
  actor: "agent",
  input: z.strictObject({
    session: Session,
    allSessions: z.boolean().default(false).describe("All sessions of the project; for the user"),
    before: TimeMs.optional().describe("Only entries from before this time; all by default"),
    dryRun: z.boolean().default(false).describe("Only say what would be removed"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    removed: Count,
    stayed: Count.describe("Entries that are marked, promoted, facts, summaries, runs, sessions or preferences"),
    summaries: Count.describe("Summaries that were written"),
    tokens: z.object({ before: Count, after: Count }),
  }),
  errors: changeErrors,
  example: { dryRun: true },
});

export const ArchiveSnapshot = z.object({ id: z.string(), session: ArchiveSession, entries: Count, at: TimeMs });

export const snapshot = defineOperation({
  name: "history.snapshot",
  summary: "Save all entries of a session, so that they can be restored; the five latest are kept",
  http: "POST /v1/history/snapshots",
  actor: "agent",
  input: z.strictObject({ session: Session }),
  output: z.object({ snapshot: ArchiveSnapshot }),
  errors: changeErrors,
  example: {},
});

export const restore = defineOperation({
  name: "history.restore",
  summary:
    "Put the entries of a session back as a snapshot has them; the entries before are kept in a snapshot, for an undo",
  http: "POST /v1/history/snapshots/{id}/restore",
  actor: "agent",
  input: z.strictObject({ id: z.string().min(1).max(60).describe("Snapshot id") }),
  output: z.object({
    snapshot: ArchiveSnapshot,
    removed: Count.describe("Entries that were not in it"),
    before: ArchiveSnapshot.describe("The entries as they were before; restore it to undo"),
  }),
  errors: ["input.invalid", "entry.not-found", "caller.denied"],
  example: { id: "ent_01jd8q3m7k4x9t2v5b8n1c" },
});

export const use = defineOperation({
  name: "history.use",
  summary: "Set the session that your entries and queries belong to where you name none, or go back to the current one",
  http: "POST /v1/history/use",
  actor: "agent",
  input: z.strictObject({ session: ArchiveSession.optional().describe("Session; without it your current one again") }),
  output: z.object({ session: ArchiveSession, chosen: z.boolean() }),
  errors: changeErrors,
  example: { session: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const HistoryCompacted = defineEvent(
  "history.compacted",
  1,
  "Entries were replaced by summaries",
  z.object({ session: ArchiveSession.optional(), removed: Count, summaries: Count }),
);
export const HistoryRestored = defineEvent(
  "history.restored",
  1,
  "The entries of a session were put back from a snapshot",
  z.object({ snapshot: z.string(), session: ArchiveSession, entries: Count, removed: Count }),
);
