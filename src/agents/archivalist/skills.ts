/** The skills of the Archivalist. */
import { anything, defineSkill, int, list, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole } from "../skills/index.ts";

const history = { domain: "history", tier: "domain" } as const;
const limit = optional(int("How many at the most, up to 50; 10 by default"));

export const store = defineSkill({
  name: "store",
  description: "Store an entry: what was asked, planned, done, found and spent",
  domain: "storage",
  keywords: ["store", "keep", "archive"],
  tier: "core",
  parameters: { title: text("What it is about"), content: anything("What to keep") },
  tokens: 84,
});

export const query = defineSkill({
  name: "query",
  description: "Look up what this session has kept, newest first; cross_session_query looks into the others",
  domain: "storage",
  keywords: ["query", "look up", "past"],
  tier: "core",
  parameters: { query: optional(text("Words that must all occur; everything without them")), limit },
  tokens: 103,
});

export const crossSessionQuery = defineSkill({
  ...history,
  name: "cross_session_query",
  description: "Look up what all sessions of the project have kept; each entry says whose it is and how well it fits",
  keywords: ["other sessions", "all sessions", "cross session"],
  parameters: {
    query: text("Words to look for; an entry with more of them comes first"),
    session_ids: optional(list(text("Session"), "Only these sessions")),
    limit,
  },
  tokens: 143,
});

export const workflowHistory = defineSkill({
  ...history,
  name: "workflow_history",
  description: "List the runs of the project that have ended, with how they ended and why",
  keywords: ["workflow history", "runs", "history"],
  parameters: { limit },
  tokens: 83,
});

export const sessionTimeline = defineSkill({
  ...history,
  name: "session_timeline",
  description: "Show what a session has done, in the order in which it happened",
  keywords: ["timeline", "session history"],
  parameters: { session_id: optional(text("Session; this one by default")) },
  tokens: 55,
});

export const failureSearch = defineSkill({
  ...history,
  name: "failure_search",
  description: "Find runs that failed or could not be verified, to avoid what was tried in vain",
  keywords: ["failure", "failed", "went wrong"],
  parameters: { query: optional(text("Words that must all occur")), limit },
  tokens: 99,
});

export const archivalistRole = defineRole({
  card: standardCards.archivalist,
  core: [store, query],
  extended: [crossSessionQuery, workflowHistory, sessionTimeline, failureSearch],
});
