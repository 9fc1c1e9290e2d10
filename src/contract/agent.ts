/**
 * Agents: participants with one identity, found again by their client's session key.
 *
 *   client session -> agent.register -> {agent, token} -> every call with that token renews its liveness
 *   its sub-agent  -> agent.register with `parent` -> a child with an identity of its own
 *
 * Invariants: one session key names one agent of one project; registering it again returns the same agent and a new
 * token. A child never outlives its parent.
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { AgentId, ProjectId, ReservationId, WorkItemId } from "./ids.ts";
import { allInput, pageInput, pageOf, TimeMs } from "./page.ts";

/**
 * The program an agent runs in. Any program may register its agents; our own names are sylk, human and other. An adapter
 * adds hooks and installation for a name, and nothing else depends on it.
 */
export const ClientName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "a client is lower-case letters, digits and dashes, 40 at the most");
export type ClientName = z.infer<typeof ClientName>;

export const AgentStatus = z.enum(["active", "idle", "offline", "ended"]);
export type AgentStatus = z.infer<typeof AgentStatus>;

export const AgentName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "a name is lower-case letters, digits and dashes, 40 at the most")
  .describe("Readable name, unique in the project");

export const AgentRef = z.object({ id: AgentId, name: z.string(), client: ClientName });
export type AgentRef = Readonly<z.infer<typeof AgentRef>>;

/** Who holds something and whether that agent lives: what a refused caller needs to decide. */
export const Holder = AgentRef.extend({ status: AgentStatus, lastSeenAt: TimeMs });
export type Holder = Readonly<z.infer<typeof Holder>>;

export const Project = z.object({
  id: ProjectId,
  name: z.string(),
  path: z.string().describe("The repository's git common directory, or the folder where there is no git"),
});
export type Project = Readonly<z.infer<typeof Project>>;

/** Lower-case ASCII, so that two that look alike are alike. */
const Capability = z
  .string()
  .trim()
  .toLowerCase()
  .max(80)
  .regex(
    /^[a-z0-9][a-z0-9+#._-]*(:[a-z0-9+#._-]+)?$/,
    "a capability is letters, digits and + # . _ -, perhaps with a kind before a colon: code-review, lang:go",
  );
/** To look for: the shape of a declaration would only cost tokens in the tool list. */
const Sought = z.string().trim().toLowerCase().min(1).max(80);

export const Agent = AgentRef.extend({
  project: Project,
  tree: z.string().describe("The working tree the agent works in"),
  branch: z.string().optional().describe("Branch of that tree, as of registration or the last heartbeat"),
  status: AgentStatus,
  parent: AgentId.optional().describe("The agent whose sub-agent this is"),
  capabilities: z.array(z.string()),
  pid: z.int().optional(),
  host: z.string().optional().describe("Machine the agent runs on"),
  workItem: z
    .object({ id: WorkItemId, title: z.string() })
    .optional()
    .describe("Its newest claim; in agent.get and agent.list"),
  registeredAt: TimeMs,
  lastSeenAt: TimeMs,
  endedAt: TimeMs.optional(),
});
export type Agent = Readonly<z.infer<typeof Agent>>;

/** What an agent waits for now. */
const AgentWait = z.object({
  paths: z.array(z.string()).describe("Paths and globs it wants"),
  how: z
    .enum(["in-line", "asked"])
    .describe("in-line: an open call waits for them; asked: the holder was asked to release them"),
  holder: AgentRef.optional().describe("Who has them; absent if they were just freed"),
  reservation: ReservationId.optional().describe("The reservation it waits for"),
  since: TimeMs,
});
export type AgentWait = Readonly<z.infer<typeof AgentWait>>;

/** What an agent did, in a few words. */
const Activity = z.object({ at: TimeMs, type: z.string().describe("Type of the event"), text: z.string() });
export type Activity = Readonly<z.infer<typeof Activity>>;

/** An agent with what it is at. A field that is absent is not known: that is not the same as empty. */
const PresentAgent = Agent.extend({
  task: z.string().optional().describe("What it works on: its newest claim, or the node of its run"),
  terminal: z.string().optional().describe("Terminal of its process, such as pts/3"),
  waits: z.array(AgentWait).describe("What it waits for now"),
  uncommitted: z
    .object({ count: z.int(), paths: z.array(z.string()).describe("The first 5; agent.get: 200") })
    .optional()
    .describe("Files of its tree that it wrote last and that differ from the last commit; from local history"),
  lastActivity: Activity.optional().describe("What it did last, by the event log"),
  workItems: z.array(z.object({ id: WorkItemId, title: z.string() })).describe("What it has claimed"),
  files: z.array(z.string()).describe("Paths and globs it has reserved"),
  guard: z
    .enum(["guarded", "unguarded", "person"])
    .describe(
      "Whether hooks ask before its edits: guarded once one of its session has asked and none is missing; the edits of a person ask no hook",
    ),
  guardReason: z.string().optional().describe("Why it is unguarded"),
  shell: z
    .enum(["enforced", "not-enforced", "unknown", "person"])
    .describe("Whether the kernel keeps files of others read-only for its shell commands; a person's shell is free"),
  shellReason: z.string().optional().describe("Why not, or why it is unknown"),
});
export type PresentAgent = Readonly<z.infer<typeof PresentAgent>>;

/** What came of the things an agent held when it went offline, now that it is back. */
export const Homecoming = z.object({
  regained: z.object({ reservations: z.array(ReservationId), workItems: z.array(WorkItemId) }),
  lost: z.array(
    z.object({
      kind: z.enum(["reservation", "work-item"]),
      what: z.string().describe("Its paths, or its title"),
      holder: AgentRef.optional().describe("Who has it now"),
      reason: z.string(),
    }),
  ),
});
export type Homecoming = Readonly<z.infer<typeof Homecoming>>;

export const ProjectPath = z.strictObject({
  path: z.string().min(1).max(4096).describe("Any folder inside the repository"),
});

export const register = defineOperation({
  name: "agent.register",
  summary: "Register an agent; the same session key returns the same agent",
  http: "POST /v1/agents",
  actor: "user",
  input: z.strictObject({
    sessionKey: z.string().min(1).max(200).describe("The client's own name for its session"),
    client: ClientName,
    project: ProjectPath.optional().describe("Default: the project of the call"),
    name: AgentName.optional(),
    capabilities: z
      .array(Capability)
      .max(100)
      .optional()
      .describe("Capabilities such as code-review or lang:go; without it, the earlier ones stay"),
    pid: z.int().positive().optional().describe("Process id of the client on this host, not of a short-lived helper"),
    parent: z.string().min(1).max(200).optional().describe("For a sub-agent: its parent's id or session key"),
  }),
  output: z.object({
    agent: Agent,
    token: z.string().describe("Bearer token of this agent; shown once, and never over MCP"),
    handle: z.string().describe("Names this agent in the argument `as` of MCP calls; not a credential"),
    homecoming: Homecoming.optional().describe("After it was offline: holds it got back and holds it lost"),
  }),
  errors: ["input.invalid", "project.not-found", "agent.not-found", "agent.ended", "caller.denied"],
  mcp: { hidden: ["token"] },
  verbatim: ["sessionKey", "project", "parent"],
  example: { sessionKey: "cc-7f3a", client: "claude-code", project: { path: "/home/ada/shop" }, name: "heron" },
});

export const list = defineOperation({
  name: "agent.list",
  summary: "List live agents, most recently active first; filter by status, capability or language",
  http: "GET /v1/agents",
  actor: "anyone",
  input: z.strictObject({
    status: AgentStatus.optional().describe("Only agents with this status; without it: active and idle ones"),
    capability: Sought.optional().describe("Only agents that declared this capability"),
    language: Sought.optional().describe("Only agents that declared the capability lang:<language>"),
    ...allInput,
    ...pageInput,
  }),
  output: pageOf(PresentAgent).extend({
    notEnforced: z.string().optional().describe("Why agents are unprotected now; absent when all is well"),
    notInstalled: z
      .array(z.string())
      .optional()
      .describe("Clients of this tree whose hooks are missing or not trusted yet; absent when all is well"),
  }),
  errors: ["input.invalid", "caller.denied"],
  mcp: { name: "discover_agents" },
  example: { capability: "code-review" },
});

const byId = z.strictObject({ id: AgentId.describe("Agent id") });

export const get = defineOperation({
  name: "agent.get",
  summary: "Show one agent",
  http: "GET /v1/agents/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({
    agent: PresentAgent,
    holds: z
      .array(
        z.object({
          reservation: ReservationId,
          paths: z.array(z.string()),
          patterns: z.array(z.string()),
          mode: z.enum(["exclusive", "shared"]),
          reason: z.string().optional(),
          acquiredAt: TimeMs,
          expiresAt: TimeMs,
        }),
      )
      .describe("Its live reservations"),
    events: z
      .array(Activity.extend({ sequence: z.int(), subject: z.string() }))
      .describe("The newest events that name it, at most 20, newest first"),
  }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

/** What waits for an agent, cheap enough to be asked at every tool call; mail and notices are counted up to 100. */
const Pending = z.object({
  mail: z.int().describe("Unread messages"),
  notices: z.int().describe("Unread notices"),
  blockingFindings: z.int().describe("Blocking findings among them"),
});
export type Pending = Readonly<z.infer<typeof Pending>>;

export const heartbeat = defineOperation({
  name: "agent.heartbeat",
  summary: "Report that an agent is alive (every other call with its token does so too)",
  http: "POST /v1/agents/{id}/heartbeat",
  actor: "anyone",
  input: byId,
  output: z.object({
    agent: Agent,
    pending: Pending,
    homecoming: Homecoming.optional().describe("After it was offline: holds it got back and holds it lost"),
  }),
  errors: ["input.invalid", "agent.not-found", "agent.ended", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

export const end = defineOperation({
  name: "agent.end",
  summary: "End an agent and its sub-agents: release their reservations and claims, revoke their tokens",
  http: "DELETE /v1/agents/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({
    agent: Agent,
    releasedReservations: z.int(),
    releasedClaims: z.int(),
    endedChildren: z.int().describe("Sub-agents that ended with it"),
  }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

/** Why: nothing heard of it, its process is gone, or its parent went. */
export const OfflineReason = z.enum(["silent", "process-gone", "parent-offline"]);
export type OfflineReason = z.infer<typeof OfflineReason>;

export const AgentRegistered = defineEvent(
  "agent.registered",
  1,
  "A new agent has an identity",
  z.object({ agent: Agent }),
);
export const AgentReturned = defineEvent(
  "agent.returned",
  1,
  "A known session returned",
  z.object({ agent: AgentRef, homecoming: Homecoming.optional() }),
);
export const AgentChanged = defineEvent(
  "agent.changed",
  1,
  "A live agent's capabilities, process, tree or branch changed",
  z.object({ agent: Agent }),
);
export const AgentOffline = defineEvent(
  "agent.offline",
  1,
  "An agent was silent for too long, or its process is gone; its holds are released",
  z.object({ agent: AgentRef, lastSeenAt: TimeMs, reason: OfflineReason.optional() }),
);
export const AgentProcessesLeft = defineEvent(
  "agent.processes-left",
  1,
  "Processes of a killed session still run; its reservations wait for their end",
  z.object({ agent: AgentRef, processes: z.array(z.object({ pid: z.int(), command: z.string() })) }),
);
export const AgentProcessesOver = defineEvent(
  "agent.processes-over",
  1,
  "The wait for a killed session's processes is over; its reservations are released",
  z.object({
    agent: AgentRef,
    how: z
      .enum(["ended", "stopped", "still-running", "returned"])
      .describe("still-running: only in events of older versions"),
    changed: z.array(z.string()),
  }),
);
export const AgentEnded = defineEvent("agent.ended", 1, "An agent has ended", z.object({ agent: AgentRef }));
