/** The skills of the Architect. */
import { choice, defineSkill, int, list, optional, text } from "../../knowledge/skills/index.ts";
import { PlanProposal } from "../../orchestration/planning/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { lookSkills } from "../shared/code-look/index.ts";
import { defineRole, runCommand } from "../skills/index.ts";

export const proposePlan = defineSkill({
  name: "propose_plan",
  description: "Propose the plan as a graph of nodes",
  domain: "planning",
  keywords: ["plan", "implement", "build", "create", "add"],
  tier: "core",
  parameters: PlanProposal.shape,
  tokens: 381,
});

export const queryContext = defineSkill({
  name: "query_context",
  description:
    "Query for context: the Librarian answers with the files that fit best, the Archivalist with what was done before",
  domain: "context",
  keywords: ["context", "find", "check", "search"],
  tier: "domain",
  parameters: {
    query: text("What to look for"),
    source: optional(choice(["librarian", "archivalist"], "Where to look; the librarian unless said")),
  },
  tokens: 95,
});

export const answerEngineer = defineSkill({
  name: "answer_engineer",
  description: "Answer the engineer's question",
  domain: "context",
  keywords: ["answer the engineer"],
  tier: "domain",
  parameters: { answer: text("What to do, in words the engineer can act on") },
  tokens: 55,
});

export const clarify = defineSkill({
  name: "clarify",
  description: "Ask the user what only the user can know; the engineer waits for the answer, the others continue",
  domain: "context",
  keywords: ["clarify", "ask the user"],
  tier: "domain",
  parameters: {
    question: text("One question that the user understands without seeing the code"),
    options: optional(list(text("Possible answer"), "Answers to choose from")),
    default_answer: optional(text("Answer to use when none comes in time; without it the work waits")),
    minutes: optional(int("How long to wait before the default answer counts; 60 unless said")),
  },
  tokens: 162,
});

export const architectRole = defineRole({
  card: standardCards.architect,
  core: [proposePlan, runCommand],
  extended: [...lookSkills, queryContext, answerEngineer, clarify],
});
