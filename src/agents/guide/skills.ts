/**
 * The skills of the Guide for models: route, list agents, and manage sessions. Routing itself is code. A skill that does what
 * an operation does is described by that operation's summary.
 */
import { session as operations } from "../../contract/index.ts";
import { anything, bool, choice, defineSkill, optional, text } from "../../knowledge/skills/index.ts";
import { defineRole } from "../skills/index.ts";

const core = { domain: "routing", tier: "core" } as const;
const sessions = { domain: "sessions", tier: "domain" } as const;

export const route = defineSkill({
  ...core,
  name: "route",
  description: "Classify a request and route it to the agent that fits; a tag such as @to:agent decides at once",
  keywords: ["route", "classify", "@to"],
  parameters: { input: text("The request, with or without a tag") },
  tokens: 69,
});

export const guideRoute = defineSkill({
  ...core,
  name: "guide_route",
  description: "Route a prompt directly to a specific agent via @guide:<agent> tag",
  keywords: ["@guide", "route", "direct", "agent"],
  parameters: {
    agent: choice(["academic", "architect", "librarian", "archivalist", "tester", "inspector"], "Target agent"),
    prompt: text("Prompt to route to the agent"),
    context: optional(anything("Additional context to include")),
  },
  tokens: 120,
});

export const help = defineSkill({
  ...core,
  name: "help",
  description: "Provide routing help: the tags, the agents and the commands that are known",
  keywords: ["help", "how"],
  parameters: { topic: optional(text("An agent, a tag or a command")) },
  tokens: 55,
});

export const status = defineSkill({
  ...core,
  name: "status",
  description: operations.stats.summary,
  keywords: ["status", "health"],
  parameters: {},
  tokens: 40,
});

export const agents = defineSkill({
  ...core,
  name: "agents",
  description: "List registered agents with what they can do",
  keywords: ["agents", "who"],
  parameters: {},
  tokens: 32,
});

export const listSessions = defineSkill({
  ...sessions,
  name: "sessions",
  description: operations.list.summary,
  keywords: ["sessions", "list sessions"],
  parameters: { all: optional(bool("Also those that have ended")) },
  tokens: 42,
});

export const metrics = defineSkill({
  ...sessions,
  name: "metrics",
  description: "Routing metrics: how requests were routed, how fast, and what failed",
  keywords: ["metrics", "statistics", "routing metrics"],
  parameters: { session_id: optional(text("Only this session; all of them by default")) },
  tokens: 56,
});

export const switchSession = defineSkill({
  ...sessions,
  name: "switch_session",
  description: operations.switchTo.summary,
  keywords: ["switch session", "switch"],
  parameters: { session_id: text("Session to switch to") },
  tokens: 56,
});

export const createSession = defineSkill({
  ...sessions,
  name: "create_session",
  description: operations.create.summary,
  keywords: ["create session", "new session"],
  parameters: { name: optional(text("What the session is for")) },
  tokens: 41,
});

export const closeSession = defineSkill({
  ...sessions,
  name: "close_session",
  description: operations.close.summary,
  keywords: ["close session", "end session"],
  parameters: { session_id: text("Session to close") },
  tokens: 59,
});

export const guideRole = defineRole({
  card: {
    name: "guide",
    description: "Routes every message between agents",
    intents: ["help", "status"],
    domains: ["agents", "system"],
    constraints: { internal: true },
  },
  core: [route, guideRoute, help, status, agents],
  extended: [listSessions, metrics, switchSession, createSession, closeSession],
  tools: {
    guide_route: "route",
    guide_agent_route: "guide_route",
    guide_help: "help",
    guide_status: "status",
    guide_agents: "agents",
    guide_sessions: "sessions",
    guide_switch_session: "switch_session",
    guide_create_session: "create_session",
    guide_close_session: "close_session",
    guide_metrics: "metrics",
    route_to: "route_to",
    reply_to: "reply_to",
    broadcast: "broadcast",
  },
});
