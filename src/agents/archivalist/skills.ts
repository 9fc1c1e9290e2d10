/** The skills of the Archivalist. */
import { anything, choice, bool, defineSkill, int, list, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole } from "../skills/index.ts";

const history = { domain: "history", tier: "domain" } as const;
const limit = optional(int("How many at the most, up to 50; 10 by default"));
const words = optional(text("Words to look for; everything without them"));

export const store = defineSkill({
  name: "store",
  description: "Store an entry in this session: a decision, a pattern, a failure, a fact",
  domain: "storage",
  keywords: ["store", "keep", "archive", "remember"],
  tier: "core",
  parameters: {
    title: text("One sentence: what it is about"),
    content: optional(anything("What to keep, at most 32 KiB as JSON")),
    category: optional(text("decision, pattern, failure, insight, issue, … or your own; general by default")),
    kind: optional(choice(["entry", "fact", "summary"], "entry by default")),
    keep: optional(bool("Mark it, so that compaction leaves it")),
  },
  tokens: 84,
});

export const query = defineSkill({
  name: "query",
  description: "Look up what this session has kept, best or newest first; cross_session_query looks into the others",
  domain: "storage",
  keywords: ["query", "look up", "past"],
  tier: "core",
  parameters: {
    query: words,
    category: optional(text("Only this category")),
    archived: optional(bool("Archived entries too")),
    limit,
  },
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
  description: "List the runs and graphs of the project that have ended, with how they ended and why",
  keywords: ["workflow history", "runs", "history"],
  parameters: { query: words, status: optional(text("verified, unverified, failed, cancelled, succeeded")), limit },
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
  parameters: { query: words, limit },
  tokens: 99,
});

export const promoteToGlobal = defineSkill({
  ...history,
  name: "promote_to_global",
  description: "Show an entry of this session to all sessions of the project, with the reason; or revoke that",
  keywords: ["promote", "global", "share"],
  parameters: {
    entry_id: text("Entry id"),
    reason: text("Why all sessions should see it"),
    revoke: optional(bool("Take it back")),
  },
  tokens: 90,
});

const extended = [crossSessionQuery, workflowHistory, sessionTimeline, failureSearch, promoteToGlobal];
const core = [store, query];

export const archivalistRole = defineRole({
  card: standardCards.archivalist,
  core,
  extended,
  tools: Object.fromEntries([...core, ...extended].map(({ name }) => [`archivalist_${name}`, name])),
});
