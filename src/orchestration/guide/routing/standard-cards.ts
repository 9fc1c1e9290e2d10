/** The roles a person may ask, as they present themselves. The names are those of `@guide:<agent>`. */
import type { AgentCard } from "./agent-card.ts";

export const standardCards = {
  librarian: {
    name: "librarian",
    shortcuts: ["find"],
    description: "where things are in the code",
    priority: 2,
    intents: ["recall", "check", "analyze"],
    domains: ["code", "files", "patterns"],
    keywords: ["where", "find", "file", "files", "function", "class", "symbol", "code", "import", "imports", "usages"],
    patterns: [/\bwhere (?:is|are|do|does|can)\b/i, /\b(?:defined|implemented|computed|declared|used|called)\b/i],
  },
  archivalist: {
    name: "archivalist",
    aliases: ["arch"],
    shortcuts: ["recall"],
    description: "what was asked and done before",
    priority: 2,
    intents: ["recall"],
    domains: ["failures", "decisions", "learnings", "workflow", "tasks"],
    keywords: ["history", "tried", "last", "before", "previously", "run", "runs", "decided", "yesterday", "ago"],
    patterns: [/\b(?:did|have) (?:we|you|somebody|anybody|i)\b/i],
    tense: "past",
    constraints: { retrospectiveOnly: true },
  },
  architect: {
    name: "architect",
    description: "how something should be built",
    priority: 1,
    intents: ["plan", "execute", "interrupt"],
    domains: ["workflow", "tasks"],
    keywords: ["plan", "design", "architecture", "approach", "strategy", "refactor", "trade-off"],
    patterns: [
      /\bhow (?:should|would|could)\b/i,
      /^(?:please |(?:can|could) you )?(?:add|fix|implement|change|rename|remove|delete|write|refactor|create|build|make|update|replace|move|migrate|upgrade|port|introduce|convert|extract)\b/i,
    ],
    tense: "future",
  },
  inspector: {
    name: "inspector",
    description: "whether code is sound",
    intents: ["validate"],
    domains: ["patterns", "code"],
    keywords: ["lint", "review", "quality", "security", "vulnerable", "smell", "style", "typecheck"],
    patterns: [/\b(?:review|inspect|lint)\b/i],
  },
  tester: {
    name: "tester",
    description: "what is tested and how",
    intents: ["validate"],
    domains: ["failures"],
    keywords: ["test", "tests", "coverage", "cover", "covers", "covered", "flaky", "suite", "regression"],
    patterns: [/\b(?:tests?|tested|coverage)\b/i],
  },
} as const satisfies Record<string, AgentCard>;
