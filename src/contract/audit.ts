/**
 * The audit: every act that overrides a protection or uses the user's authority, chained by hashes.
 *
 *   act + its audit row, one transaction -> head in a file of its own -> audit.verify finds what was changed or removed
 *
 * Rows hold ids, decisions and counts, never the text of a request or an answer: they stay when a project is purged.
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { AgentId, type ProjectId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const AuditActor = z.object({
  kind: z.enum(["user", "agent", "daemon"]),
  id: AgentId.optional(),
  name: z.string().optional(),
});
export type AuditActor = Readonly<z.infer<typeof AuditActor>>;

const AuditEntry = z.object({
  sequence: z.int().describe("1, 2, 3 and so on without a gap"),
  at: TimeMs,
  actor: AuditActor,
  action: z.string().describe("What was done, for example run.merged"),
  subject: z.string().describe("Id or name of what it was done to"),
  project: z.string().nullable().describe("Project it concerns, if one"),
  details: z.record(z.string(), z.unknown()),
  previousHash: z.string().describe("Hash of the row before"),
  hash: z.string().describe("SHA-256 over all columns of this row"),
});
export type AuditEntry = Readonly<z.infer<typeof AuditEntry>>;

/** An act as its doer tells it; the audit adds sequence, time and hashes. */
export type AuditDraft = Pick<AuditEntry, "actor" | "action" | "subject"> & {
  readonly project: ProjectId | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
};

export const list = defineOperation({
  name: "audit.list",
  summary: "List privileged actions of this home, newest first",
  http: "GET /v1/audit",
  actor: "user",
  input: z.strictObject({
    action: z
      .string()
      .max(100)
      .regex(/^[a-z-]+(\.[a-z-]+)?$/, "an action such as run.merged, or a noun such as run")
      .optional()
      .describe("Only this action, or all of a noun: run.merged, run"),
    since: TimeMs.min(0).optional().describe("Only actions from this time on, in Unix milliseconds"),
    ...pageInput,
  }),
  output: pageOf(AuditEntry),
  errors: ["input.invalid", "caller.denied"],
  example: { action: "run.merged", limit: 20 },
});

export const ChainReport = z.object({
  intact: z.boolean(),
  entries: z.int().describe("Rows verified, counted from the first"),
  lastHash: z.string().nullable().describe("Hash of the last of them; write it down elsewhere to compare later"),
  head: z
    .enum(["matches", "older", "missing", "unreadable", "ahead", "differs", "not-compared"])
    .describe("The head file against the rows; older is usual after a crash"),
  problem: z
    .object({
      sequence: z.int().describe("First row that was changed after it was written"),
      what: z.string(),
      fix: z.string(),
    })
    .optional(),
});
export type ChainReport = Readonly<z.infer<typeof ChainReport>>;

export const verify = defineOperation({
  name: "audit.verify",
  summary: "Check that no audit entry was changed or removed after it was written",
  http: "GET /v1/audit/verify",
  actor: "user",
  input: z.strictObject({
    file: z
      .string()
      .min(1)
      .max(4096)
      .regex(/^\//, "an absolute path")
      .optional()
      .describe("A copy of the store to check instead, for example a backup"),
  }),
  output: ChainReport,
  errors: ["input.invalid", "caller.denied"],
  example: {},
});
