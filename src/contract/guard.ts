/**
 * The guard: checks between a client's tools and the files of a repository.
 *
 *   session start -> guard.start  -> an identity, who else is here, what dead sessions left
 *   before a write -> guard.write -> the first reserves, each further one renews; held by another: refused
 *   after tools    -> guard.used  -> renewed; the readers of a file hear of its next commit
 *   before a shell command -> guard.confine -> how to start it so that the kernel keeps files of others read-only
 *   before a commit -> guard.commit -> refused where a path is another live agent's, or was lost to one
 *
 * Hooks call these through `POST /v1/hooks/{client}/{event}`, in their client's own words; see hook.ts.
 */
import * as z from "zod";
import { Agent, ClientName, Holder, ProjectPath } from "./agent.ts";
import { defineOperation } from "./define.ts";
import { ReservationId, WorkItemId } from "./ids.ts";
import { TimeMs } from "./page.ts";

const CallId = z.string().min(1).max(200);
const FilePath = z.string().min(1).max(4096);

/** What sessions that are gone left behind, and what was done about it. */
export const Leftovers = z.object({
  removed: z.array(z.string()).describe("Worktrees and throw-away files that held nothing unsaved"),
  quarantined: z.array(z.string()).describe("References that keep what was unsaved"),
  ownerless: z.array(WorkItemId).describe("First few work items in progress without an owner"),
  unknown: z.string().optional().describe("Why it could not be examined"),
});
export type Leftovers = Readonly<z.infer<typeof Leftovers>>;

export const start = defineOperation({
  name: "guard.start",
  summary:
    "Start a client's session: its identity, the other agents, and leftovers of dead sessions with their cleanup",
  http: "POST /v1/guard/start",
  actor: "user",
  input: z.strictObject({
    sessionKey: z.string().min(1).max(200).describe("The client's own name for its session"),
    client: ClientName,
    project: ProjectPath,
    pid: z.int().positive().optional().describe("Process id of the client on this host"),
  }),
  output: z.object({
    agent: Agent,
    others: z.array(Holder.extend({ files: z.array(z.string()) })).describe("Live agents of the project besides it"),
    left: Leftovers,
    line: z.string().describe("All of it in one line, for the model"),
  }),
  errors: ["input.invalid", "project.not-found"],
  verbatim: ["sessionKey", "project"],
  example: { sessionKey: "cc-7f3a", client: "claude-code", project: { path: "/home/ada/shop" } },
});

export const write = defineOperation({
  name: "guard.write",
  summary: "Check before writing: the first write of a file reserves it, later ones renew it; globs are only checked",
  http: "POST /v1/guard/write",
  actor: "agent",
  input: z
    .strictObject({
      paths: z
        .array(FilePath)
        .max(500)
        .default([])
        .describe("Files about to be written, absolute or from the tree's root"),
      patterns: z
        .array(FilePath)
        .max(500)
        .default([])
        .describe("Globs that a command will write: refused while another agent holds a matching file, never reserved"),
      unknown: z
        .array(z.string().min(1).max(200))
        .max(20)
        .default([])
        .describe("Further possible write targets of the command: recorded, refused where strict"),
      programs: z
        .array(z.string().min(1).max(200))
        .max(20)
        .default([])
        .describe("Programs whose written files are unknown: recorded; where strict, refused while others hold files"),
      tools: z
        .array(z.string().min(1).max(200))
        .max(20)
        .default([])
        .describe("Tools of other servers whose written files are unknown: treated likewise"),
      gitCommands: z
        .array(
          z.strictObject({
            folder: FilePath.describe("Absolute folder it runs in"),
            args: z.array(z.string().max(4096)).min(1).max(100).describe("Its subcommand and arguments"),
          }),
        )
        .max(10)
        .default([])
        .describe("Git commands that rewrite the tree: refused while they would change files that others work on"),
      command: z.string().max(500).optional().describe("The tool or its command line, for local history"),
      call: CallId.optional().describe("The client's id of the call, which its end names again"),
    })
    .refine((named) => Object.values(named).some((list) => Array.isArray(list) && list.length > 0), {
      message: "name at least one path or pattern",
      path: ["paths"],
    }),
  output: z.object({
    items: z.array(
      z.object({
        path: z.string(),
        state: z
          .enum(["reserved", "parents", "outside", "unguarded", "clear"])
          .describe(
            "parents: held by the caller's parent agent; outside: not in the tree; unguarded: see warning; clear: a glob without files held by others",
          ),
        reservation: ReservationId.optional(),
        fencingToken: z.int().optional(),
      }),
    ),
    warning: z.string().optional().describe("Why a write is allowed anyway (guard.policy is warn)"),
    unguarded: z.array(z.string()).describe("Your unguarded calls since the last answer; told once"),
    remembered: z.int().optional().describe("Unknown targets, programs and tools of this call, where it has any"),
    refresh: z
      .array(z.string())
      .optional()
      .describe("Files you know that others committed: read them again; at most every commits.refreshEveryMs"),
    news: z
      .array(z.string())
      .optional()
      .describe("Sentences told once: what killed sessions left running on these files, lost installations"),
  }),
  errors: [
    "input.invalid",
    "reservation.conflict",
    "reservation.limit",
    "lease.lost",
    "path.not-holdable",
    "write.unknown",
    "write.erases",
    "agent.ended",
  ],
  verbatim: ["paths", "patterns", "gitCommands"],
  example: { paths: ["src/api/orders.ts"] },
});

export const used = defineOperation({
  name: "guard.used",
  summary: "Report a tool's reads and writes: renews reservations and remembers reads for later commit notices",
  http: "POST /v1/guard/used",
  actor: "agent",
  input: z.strictObject({
    read: z.array(FilePath).max(500).default([]).describe("Files that were read, absolute or from the tree's root"),
    wrote: z.array(FilePath).max(500).default([]).describe("Files that were written"),
    ended: z
      .array(z.strictObject({ call: CallId.optional(), command: z.string().max(500).optional() }))
      .max(500)
      .default([])
      .describe("Calls that have ended, by the id or the command that guard.write was told"),
    turnEnded: z.boolean().default(false).describe("The agent's turn is over: it has no call under way"),
    said: z
      .string()
      .max(8_000)
      .optional()
      .describe("Words of a command that met a read-only or busy file; answered with its holder"),
  }),
  output: z.object({
    renewed: z.int().describe("Files whose hold was renewed"),
    remembered: z.int().describe("Files of the tree the agent now knows"),
    unguarded: z.array(z.string()).describe("Your unguarded calls since the last answer; told once"),
    blocked: z.string().optional().describe("Which hold made a file read-only for the command, and the way out"),
  }),
  errors: ["input.invalid", "agent.ended"],
  verbatim: ["read", "wrote"],
  example: { read: ["src/api/orders.ts"], wrote: ["src/api/orders.test.ts"] },
});

export const confine = defineOperation({
  name: "guard.confine",
  summary: "Show how to start a shell command so that files held by others are read-only for it",
  http: "POST /v1/guard/confine",
  actor: "agent",
  input: z.strictObject({
    cwd: FilePath.optional().describe("Folder the command starts in; default: the agent's own tree"),
  }),
  output: z.object({
    state: z
      .enum(["plain", "enforced", "not-enforced"])
      .describe("plain: others hold nothing here; not-enforced: they do, and this machine cannot enforce it"),
    reason: z.string().optional().describe("Why it is not enforced"),
    words: z.array(z.string()).describe("Program and arguments to put before the command; none unless enforced"),
    held: z
      .array(z.object({ path: z.string(), holder: z.string(), reservation: ReservationId, expiresAt: TimeMs }))
      .describe("Paths and globs that other agents hold in the tree"),
    exceptions: z.array(z.string()).describe("What of it the kernel cannot keep read-only, and why"),
  }),
  errors: ["input.invalid", "write.unenforced", "agent.ended"],
  verbatim: ["cwd"],
  example: {},
});

export const commit = defineOperation({
  name: "guard.commit",
  summary: "Check before a commit: refuses paths that another live agent holds, or that you lost to one",
  http: "POST /v1/guard/commit",
  actor: "agent",
  input: z.strictObject({
    paths: z.array(FilePath).min(1).max(50_000).describe("Paths the commit changes, from the tree's root"),
    tree: z.string().min(1).max(4096).optional().describe("Working tree of the commit; default: the agent's own"),
    removes: z
      .array(FilePath)
      .max(50_000)
      .default([])
      .describe("Paths that lose lines or return to older content; refused where you never reserved them"),
    fencingToken: z
      .int()
      .min(1)
      .optional()
      .describe("The fencing token of your reservation of these paths; refused as lost once it has ended"),
    override: z.string().trim().min(1).max(500).optional().describe("Commit anyway, for this reason; audited"),
    overriddenAt: TimeMs.optional().describe("When it happened, if the daemon was not running then"),
  }),
  output: z.object({
    checked: z.int().describe("Number of paths checked"),
    overridden: z.boolean(),
    warnings: z.array(z.string()).describe("Warnings for a person before the commit"),
  }),
  errors: [
    "input.invalid",
    "project.not-found",
    "reservation.conflict",
    "lease.lost",
    "commit.reverts",
    "caller.denied",
    "agent.ended",
  ],
  verbatim: ["paths", "tree", "removes"],
  example: { paths: ["src/api/orders.ts"] },
});
