/**
 * Agents: participants with one identity, found again by their client's session key.
 *
 *   client session -> agent.register -> {agent, token} -> every call with that token renews its liveness
 *
 * Invariant: one session key names one agent of one project; registering it again returns the same agent and a new token.
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { AgentId, ProjectId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

export const ClientKind = z.enum(["claude-code", "codex", "opencode", "gemini", "sylk", "human", "other"]);
export type ClientKind = z.infer<typeof ClientKind>;

export const AgentStatus = z.enum(["active", "idle", "offline", "ended"]);
export type AgentStatus = z.infer<typeof AgentStatus>;

export const AgentName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "a name is lower-case letters, digits and dashes, 40 at the most")
  .describe("Readable name, unique in the project");

export const AgentRef = z.object({ id: AgentId, name: z.string(), client: ClientKind });
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

const Capability = z.string().min(1).max(80);

export const Agent = AgentRef.extend({
  project: Project,
  tree: z.string().describe("The working tree the agent works in"),
  status: AgentStatus,
  capabilities: z.array(Capability),
  pid: z.int().optional(),
  registeredAt: TimeMs,
  lastSeenAt: TimeMs,
  endedAt: TimeMs.optional(),
});
export type Agent = Readonly<z.infer<typeof Agent>>;

const ProjectPath = z.strictObject({ path: z.string().min(1).max(4096).describe("Any folder inside the repository") });

export const register = defineOperation({
  name: "agent.register",
  summary: "Register an agent, or get the same one back by its session key",
  http: "POST /v1/agents",
  actor: "user",
  input: z.strictObject({
    sessionKey: z.string().min(1).max(200).describe("The client's own name for its session"),
    client: ClientKind,
    project: ProjectPath,
    name: AgentName.optional(),
    capabilities: z.array(Capability).max(100).optional().describe("What the agent can do, for example code-review"),
    pid: z.int().positive().optional().describe("Process id of the client on this host"),
  }),
  output: z.object({ agent: Agent, token: z.string().describe("Bearer token of this agent; shown once") }),
  errors: ["input.invalid", "project.not-found"],
  verbatim: ["sessionKey", "project"],
  example: { sessionKey: "cc-7f3a", client: "claude-code", project: { path: "/home/ada/shop" }, name: "heron" },
});

export const list = defineOperation({
  name: "agent.list",
  summary: "List live agents, most recently active first; by status, capability or language",
  http: "GET /v1/agents",
  actor: "anyone",
  input: z.strictObject({
    status: AgentStatus.optional().describe("Only agents with this status; without it: active and idle ones"),
    capability: Capability.optional().describe("Only agents that declared this capability"),
    language: Capability.optional().describe("Only agents that declared the capability lang:<language>"),
    ...pageInput,
  }),
  output: pageOf(Agent),
  errors: ["input.invalid"],
  mcp: { name: "discover_agents", listed: true },
  example: { capability: "code-review" },
});

const byId = z.strictObject({ id: AgentId.describe("Agent id") });

export const get = defineOperation({
  name: "agent.get",
  summary: "Show one agent",
  http: "GET /v1/agents/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({ agent: Agent }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

export const heartbeat = defineOperation({
  name: "agent.heartbeat",
  summary: "Say that an agent is alive (every other call with its token says so too)",
  http: "POST /v1/agents/{id}/heartbeat",
  actor: "anyone",
  input: byId,
  output: z.object({ agent: Agent }),
  errors: ["input.invalid", "agent.not-found", "agent.ended", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

export const end = defineOperation({
  name: "agent.end",
  summary: "End an agent: frees what it reserved, returns what it claimed, revokes its tokens",
  http: "DELETE /v1/agents/{id}",
  actor: "anyone",
  input: byId,
  output: z.object({ agent: Agent, releasedReservations: z.int(), releasedClaims: z.int() }),
  errors: ["input.invalid", "agent.not-found", "caller.denied"],
  example: { id: "agt_01jd8q3m7k4x9t2v5b8n1c" },
});

export const AgentRegistered = defineEvent(
  "agent.registered",
  1,
  "A new agent has an identity",
  z.object({ agent: Agent }),
);
export const AgentReturned = defineEvent(
  "agent.returned",
  1,
  "A known session came back",
  z.object({ agent: AgentRef }),
);
export const AgentOffline = defineEvent(
  "agent.offline",
  1,
  "An agent has been silent for too long",
  z.object({ agent: AgentRef, lastSeenAt: TimeMs }),
);
export const AgentEnded = defineEvent("agent.ended", 1, "An agent has ended", z.object({ agent: AgentRef }));
