/** The skills of the Inspector. */
import { bool, choice, defineSkill, int, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../skills/index.ts";
import { findFilesSkill } from "../shared/known-files/index.ts";

export const validateTask = defineSkill({
  name: "validate_task",
  description: "Validate what a round of work has produced, by the project's own linter or type checker",
  domain: "validation",
  keywords: ["validate", "check", "task", "result"],
  tier: "core",
  parameters: { round: int("Which round of the run") },
  tokens: 80,
});

export const getIssues = defineSkill({
  name: "get_issues",
  description: "Get the issues that checks have found in the latest run, the worst first",
  domain: "validation",
  keywords: ["issues", "problems", "errors", "list"],
  tier: "core",
  parameters: {
    severity: optional(choice(["critical", "high", "medium", "low", "all"], "Only of this severity; all by default")),
  },
  tokens: 70,
});

export const runLinter = defineSkill({
  name: "run_linter",
  description: "Run the project's own linter or type checker on the tree as it is, and read what it found",
  domain: "quality",
  keywords: ["lint", "linter", "style", "check"],
  tier: "domain",
  parameters: {
    path: text("Folder whose own command is run; . for the root"),
    verbose: optional(bool("Also what the command printed about each issue")),
  },
  tokens: 89,
});

export const listAvailableTools = defineSkill({
  name: "list_available_tools",
  description: "List the commands by which a folder is inspected and tested, and where the project says so",
  domain: "quality",
  keywords: ["tools", "available", "commands"],
  tier: "domain",
  parameters: { path: text("Folder relative to the root; . for the root") },
  tokens: 67,
});

export const findFiles = findFilesSkill("quality");

export const inspectorRole = defineRole({
  card: standardCards.inspector,
  core: [validateTask, getIssues, runCommand],
  extended: [runLinter, listAvailableTools, findFiles],
});
