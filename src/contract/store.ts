/**
 * The store as its owner handles it: copied, written out as text, relieved of what is old.
 *
 *   store.backup -> one file, whole and checked     (sylk restore <file> brings it back; that needs the daemon stopped)
 *   store.export -> JSON Lines, one record a line
 *   store.purge  -> what has ended before a time is removed; live things never are
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

const TargetFile = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^\/[^\0]+$/, "must be an absolute path")
  .describe("Absolute path of a new file; default: a name in the home");

const ProjectTarget = z
  .string()
  .min(1)
  .max(4096)
  .describe("Only the records of this project: its id, or the absolute path of its folder");

const Bytes = z.int().describe("Size in bytes");

export const backup = defineOperation({
  name: "store.backup",
  summary: "Back up the whole store into one file while the daemon keeps working",
  http: "POST /v1/store/backup",
  actor: "user",
  input: z.strictObject({ file: TargetFile.optional() }),
  output: z.object({ file: z.string(), bytes: Bytes, at: TimeMs }),
  errors: ["input.invalid", "file.exists", "caller.denied"],
  example: { file: "/home/ada/sylk.db.backup" },
});

/** Named `export` for callers; the word is taken in the language it is written in. */
export const exportRecords = defineOperation({
  name: "store.export",
  summary:
    "Export all records as JSON Lines: projects, agents, reservations, work, mail, findings, runs, history, events",
  http: "POST /v1/store/export",
  actor: "user",
  input: z.strictObject({
    file: TargetFile.optional(),
    only: ProjectTarget.optional(),
    format: z.enum(["jsonl"]).default("jsonl").describe("Format"),
  }),
  output: z.object({
    file: z.string(),
    bytes: Bytes,
    records: z.record(z.string(), z.int()).describe("How many of each kind"),
  }),
  errors: ["input.invalid", "file.exists", "project.not-found", "caller.denied"],
  example: { file: "/home/ada/sylk.jsonl" },
});

/** How many rows of each kind a purge or a forgetting removes. */
export const RemovedCounts = z.object({
  events: z.int(),
  agents: z.int(),
  reservations: z.int(),
  workItems: z.int(),
  messages: z.int(),
  findings: z.int(),
  sessions: z.int(),
  runs: z.int(),
  history: z.int(),
  sources: z.int(),
  fileVersions: z.int(),
});
export type RemovedCounts = Readonly<z.infer<typeof RemovedCounts>>;

export const purge = defineOperation({
  name: "store.purge",
  summary:
    "Delete records that ended before a time: events, agents, work items, mail, findings, runs, history, file versions",
  http: "POST /v1/store/purge",
  actor: "user",
  input: z.strictObject({
    before: TimeMs.min(0),
    dryRun: z.boolean().default(true).describe("Only count what would be removed"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    before: TimeMs,
    removed: RemovedCounts,
    trees: z.array(z.string()).describe("Worktrees of removed runs that are still on disk"),
    keptOpen: z.int().describe("Old runs that are kept, because their change is neither merged nor discarded"),
  }),
  errors: ["input.invalid", "caller.denied"],
  example: { before: 1_700_000_000_000, dryRun: true },
});
