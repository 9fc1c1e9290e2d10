/** What the Architect can do. */
import { choice, defineSkill, optional, text } from "../../knowledge/skills/index.ts";
import { PlanProposal } from "../../orchestration/planning/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../every-agent/index.ts";

export const proposePlan = defineSkill({
  name: "propose_plan",
  description: "Propose the plan as a graph of nodes",
  domain: "planning",
  keywords: ["plan", "implement", "build", "create", "add"],
  tier: "core",
  parameters: PlanProposal.shape,
  tokens: 243,
});

export const queryContext = defineSkill({
  name: "query_context",
  description: "Query the Librarian for context: it answers with the files that fit best and what they hold",
  domain: "context",
  keywords: ["context", "find", "check", "search"],
  tier: "domain",
  parameters: { query: text("What to look for"), source: optional(choice(["librarian"], "Where to look")) },
  tokens: 81,
});

export const architectRole = defineRole({
  card: standardCards.architect,
  core: [proposePlan, runCommand],
  extended: [queryContext],
});
