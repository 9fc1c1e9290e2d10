/** What the Inspector can do. */
import { defineSkill, int } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../every-agent/index.ts";

const validateTask = defineSkill({
  name: "validate_task",
  description: "Validate what a round of work has produced, by the project's own linter or type checker",
  domain: "validation",
  keywords: ["validate", "check", "task", "result"],
  tier: "core",
  parameters: { round: int("Which round of the run") },
  tokens: 80,
});

export const inspectorRole = defineRole({
  card: standardCards.inspector,
  core: [validateTask, runCommand],
});
