/** What the Architect can do. */
import { defineSkill } from "../../knowledge/skills/index.ts";
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

export const architectRole = defineRole({
  card: standardCards.architect,
  core: [proposePlan, runCommand],
});
