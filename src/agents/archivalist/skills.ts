/** The skills of the Archivalist. */
import { anything, choice, bool, defineSkill, int, list, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole } from "../skills/index.ts";

const history = { domain: "history", tier: "domain" } as const;
const likeness = { domain: "likeness", tier: "domain" } as const;
const account = { domain: "account", tier: "domain" } as const;
const limit = optional(int("How many at the most, up to 50; 10 by default"));
const words = optional(text("Words to look for; everything without them"));
const like = text("What it should be like, in words");
const everywhere = optional(bool("In all sessions of the project; only this one by default"));

export const store = defineSkill({
  name: "store",
  description: "Store an entry in this session: a decision, a pattern, a failure, a fact",
  domain: "storage",
  keywords: ["store", "keep", "archive", "remember"],
  tier: "core",
  parameters: {
    title: text("One sentence: what it is about"),
    content: optional(anything("What to keep, at most 32 KiB")),
    category: optional(text("decision, pattern, failure, insight, issue or another; general by default")),
    kind: optional(choice(["entry", "fact", "summary"], "entry by default")),
    keep: optional(bool("Compaction leaves it")),
  },
  tokens: 156,
});

export const query = defineSkill({
  name: "query",
  description: "Look up what this session has kept; cross_session_query looks into the others",
  domain: "storage",
  keywords: ["query", "look up", "past"],
  tier: "core",
  parameters: {
    query: words,
    category: optional(text("Only this category")),
    archived: optional(bool("Archived entries too")),
    limit,
  },
  tokens: 126,
});

export const brief = defineSkill({
  name: "briefing",
  description: "Brief on the latest work, decisions, facts and failures seen at least twice",
  domain: "storage",
  keywords: ["briefing", "brief", "catch up"],
  tier: "core",
  parameters: {
    tier: optional(choice(["micro", "standard", "full"], "standard by default")),
    task: optional(text("What is to be done: similar work is added")),
    all_sessions: everywhere,
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
  tokens: 123,
});

export const sessionTimeline = defineSkill({
  ...account,
  name: "session_timeline",
  description: "Show what a session has done, in the order in which it happened",
  keywords: ["timeline", "session history"],
  parameters: { session_id: optional(text("Session; this one by default")) },
  tokens: 55,
});

export const patternSearch = defineSkill({
  ...likeness,
  name: "pattern_search",
  description: "Find patterns that were stored, like a text, with a score",
  keywords: ["pattern", "how do we"],
  parameters: { query: like, all_sessions: everywhere, limit },
  tokens: 126,
});

export const failureSearch = defineSkill({
  ...likeness,
  name: "failure_search",
  description: "Find failures and work that could not be verified, to avoid what was tried in vain",
  keywords: ["failure", "failed", "went wrong"],
  parameters: { query: words, all_sessions: everywhere, limit },
  tokens: 125,
});

export const decisionSearch = defineSkill({
  ...likeness,
  name: "decision_search",
  description: "Find decisions that were stored, like a text, with a score",
  keywords: ["decision", "decided", "why did we"],
  parameters: { query: like, all_sessions: everywhere, limit },
  tokens: 126,
});

export const tokenSavings = defineSkill({
  ...account,
  name: "token_savings",
  description: "Report the tokens that were not spent, with the formula; measured and estimated are apart",
  keywords: ["token savings", "saved tokens", "savings"],
  parameters: { session_id: optional(text("Session; this one by default")), all_sessions: everywhere },
  tokens: 81,
});

export const promoteToGlobal = defineSkill({
  ...account,
  name: "promote_to_global",
  description: "Show an entry of this session to all sessions of the project, with the reason; or revoke that",
  keywords: ["promote", "global", "share"],
  parameters: {
    entry_id: text("Entry id"),
    reason: text("Why all sessions should see it, or why no longer"),
    revoke: optional(bool("Only its own session sees it again")),
  },
  tokens: 105,
});

const core = [store, query, brief];
const extended = [
  crossSessionQuery,
  workflowHistory,
  sessionTimeline,
  patternSearch,
  failureSearch,
  decisionSearch,
  tokenSavings,
  promoteToGlobal,
];

export const archivalistRole = defineRole({
  card: standardCards.archivalist,
  core,
  extended,
  tools: Object.fromEntries([...core, ...extended].map(({ name }) => [`archivalist_${name}`, name])),
});
