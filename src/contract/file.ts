/**
 * Local history: the versions of a file that a hook or the watcher saw, kept by content.
 *
 *   before a tool writes, after it, when the watcher sees a change -> a version: time, likely author, command, content
 *   file.history -> file.diff -> file.restore (one version) | file.undo (the changes of one agent, or since a time)
 *
 * Invariants: a listed version is durable. Nothing is overwritten before its own content is kept. `file.undo` merges by
 * git's three-way merge, so later lines of others stay; a conflict is shown and changes nothing.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { FileVersionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const FilePath = z.string().min(1).max(4096);
const Tree = z.string().min(1).max(4096).optional().describe("Working tree of the files; default: the agent's own");
const AgentKey = z.string().min(1).max(80).describe("An agent's name or id");

export const FileVersion = z.object({
  id: FileVersionId,
  path: z.string().describe("From the tree's root"),
  seenAt: TimeMs,
  seen: z
    .enum(["before-tool", "after-tool", "watcher", "start", "git", "sylk"])
    .describe(
      "before-tool, after-tool: a hook; watcher: the file changed; start: found changed when the watch began; git: the committed content; sylk: written by file.restore or file.undo",
    ),
  state: z
    .enum(["kept", "absent", "too-large"])
    .describe("absent: the file did not exist; too-large: its content was not kept"),
  bytes: z.int().optional(),
  mode: z.string().optional().describe("File mode, octal"),
  content: z.string().optional().describe("SHA-256 of the content"),
  author: AgentRef.optional().describe("Agent that likely wrote this content"),
  knownBy: z
    .enum(["named", "under-way", "time-window", "several", "sylk", "unknown"])
    .describe(
      "How the author is known. named: its tool call named the file; under-way: the only call with unknown write targets under way was its own; time-window: such a call had just ended, or its client reports no ends; several: more than one agent could have written it; sylk: Sylk wrote it for that agent",
    ),
  command: z.string().optional().describe("Tool or command of the author"),
});
export type FileVersion = Readonly<z.infer<typeof FileVersion>>;

export const history = defineOperation({
  name: "file.history",
  summary: "List the kept versions of a file, or of all files in the tree, newest first",
  http: "GET /v1/files/history",
  actor: "agent",
  input: z.strictObject({
    path: FilePath.optional().describe("Only of this file, from the tree's root"),
    agent: AgentKey.optional().describe("Only versions that this agent wrote, by name or id"),
    since: TimeMs.optional().describe("Only versions seen since this time, in Unix milliseconds"),
    tree: Tree,
    ...pageInput,
  }),
  output: pageOf(FileVersion),
  errors: ["input.invalid", "project.not-found", "caller.denied", "agent.not-found"],
  verbatim: ["path", "tree"],
  mcp: { untrusted: ["command"] },
  example: { path: "src/api/orders.ts" },
});

export const diff = defineOperation({
  name: "file.diff",
  summary: "Show a file's change between two kept versions, or all changes of one agent, as a patch",
  http: "GET /v1/files/diff",
  actor: "agent",
  input: z.strictObject({
    path: FilePath.optional().describe("File, from the tree's root; needed without an agent"),
    from: FileVersionId.optional().describe("Version before; default: the newest that differs from the file"),
    to: FileVersionId.optional().describe("Version after; default: the file as it is now"),
    agent: AgentKey.optional().describe("All that this agent changed, by name or id"),
    since: TimeMs.optional().describe("With an agent: only changes since this time, in Unix milliseconds"),
    tree: Tree,
  }),
  output: z.object({
    patch: z.string().describe("Unified diff"),
    files: z.array(z.string()).describe("Files it changes"),
    notes: z.array(z.string()).describe("Changes that the diff does not show, and why"),
  }),
  errors: ["input.invalid", "project.not-found", "caller.denied", "agent.not-found", "file.not-kept"],
  verbatim: ["path", "tree"],
  mcp: { untrusted: ["patch", "text"] },
  example: { path: "src/api/orders.ts" },
});

export const restore = defineOperation({
  name: "file.restore",
  summary: "Put a kept version of a file back; the content it replaces is kept as well",
  http: "POST /v1/files/restore",
  actor: "agent",
  input: z.strictObject({
    path: FilePath.describe("File, from the tree's root"),
    version: FileVersionId.optional().describe("Version to put back; default: the newest that differs from the file"),
    tree: Tree,
  }),
  output: z.object({
    restored: FileVersion,
    replaced: FileVersion.describe("The content it replaced, so that this can be undone"),
    told: z.array(AgentRef).describe("Agents that hold the file and were told"),
  }),
  errors: [
    "input.invalid",
    "project.not-found",
    "caller.denied",
    "agent.ended",
    "file.not-kept",
    "reservation.conflict",
  ],
  verbatim: ["path", "tree"],
  example: { path: "src/api/orders.ts" },
});

export const UndoItem = z.object({
  path: z.string(),
  state: z
    .enum(["undone", "unchanged", "conflict", "held", "not-kept"])
    .describe(
      "unchanged: its lines are gone already; conflict: others changed the same lines; held: another agent holds the file; not-kept: content is missing",
    ),
  why: z.string().optional(),
  text: z.string().optional().describe("Of a conflict: the file with conflict markers; it was not written"),
});
export type UndoItem = Readonly<z.infer<typeof UndoItem>>;

export const undo = defineOperation({
  name: "file.undo",
  summary: "Undo changes by agent, since a time, or by path; later lines of others stay, conflicts are shown",
  http: "POST /v1/files/undo",
  actor: "agent",
  input: z
    .strictObject({
      paths: z
        .array(FilePath)
        .max(500)
        .default([])
        .describe("Only these files, from the tree's root; alone: the newest change of each"),
      agent: AgentKey.optional().describe("Only changes of this agent, by name or id"),
      since: TimeMs.optional().describe("Only changes since this time, in Unix milliseconds"),
      dryRun: z.boolean().default(false).describe("Only show what would change"),
      partial: z.boolean().default(false).describe("Undo the other files although some cannot be undone"),
      tree: Tree,
    })
    .refine(({ paths, agent, since }) => paths.length > 0 || agent !== undefined || since !== undefined, {
      message: "name a path, an agent or a time",
      path: ["paths"],
    }),
  output: z.object({
    written: z.boolean().describe("False in a dry run, and when a file could not be undone and partial is not set"),
    items: z.array(UndoItem),
    patch: z.string().describe("The change that the undo makes, as a unified diff"),
    told: z.array(AgentRef).describe("Agents that hold a file of it and were told"),
  }),
  errors: ["input.invalid", "project.not-found", "caller.denied", "agent.ended", "agent.not-found", "file.not-kept"],
  verbatim: ["paths", "tree"],
  mcp: { untrusted: ["patch", "text"] },
  example: { agent: "otter", since: 1_767_225_600_000, dryRun: true },
});

export const FileRestored = defineEvent(
  "file.restored",
  1,
  "An agent put kept versions of files back, or undid changes",
  z.object({
    tree: z.string(),
    paths: z.array(z.string()),
    by: AgentRef,
    of: AgentRef.optional().describe("Agent whose changes were undone"),
  }),
);
