/** What the Tester can do. */
import { bool, defineSkill, int, optional, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../skills/index.ts";
import { findFilesSkill } from "../shared/known-files/index.ts";

export const runTests = defineSkill({
  name: "run_tests",
  description: "Execute the test suite with the project's own command, and read what it says",
  domain: "testing",
  keywords: ["run", "execute", "test"],
  tier: "core",
  parameters: {
    path: optional(text("Folder whose own command is run; the root by default")),
    verbose: optional(bool("Also what the command printed about each failure")),
  },
  tokens: 77,
});

export const getResults = defineSkill({
  name: "get_results",
  description: "Get the test results of a run, round by round; of the latest one by default",
  domain: "testing",
  keywords: ["results", "status", "output"],
  tier: "core",
  parameters: { run_id: optional(text("Run whose results are wanted")) },
  tokens: 57,
});

export const catFile = defineSkill({
  name: "cat_file",
  description: "View a file that git knows: all of it, its first lines or its last ones",
  domain: "reading",
  keywords: ["cat", "view", "file", "read"],
  tier: "domain",
  parameters: {
    path: text("Path relative to the root"),
    head: optional(int("Only so many lines from its beginning")),
    tail: optional(int("Only so many lines from its end")),
  },
  tokens: 133,
});

export const grepOutput = defineSkill({
  name: "grep_output",
  description: "Search a file that git knows for lines with a text",
  domain: "reading",
  keywords: ["grep", "search", "lines"],
  tier: "domain",
  parameters: {
    pattern: text("Text to find, as it is"),
    path: text("Path relative to the root"),
    case_insensitive: optional(bool("Take capital and small letters as the same")),
  },
  tokens: 93,
});

export const findFiles = findFilesSkill("reading");

export const testerRole = defineRole({
  card: standardCards.tester,
  core: [runTests, getResults, runCommand],
  extended: [catFile, grepOutput, findFiles],
});
