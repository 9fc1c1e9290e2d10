/** What the Tester can do. */
import { defineSkill, int } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../every-agent/index.ts";

const runTests = defineSkill({
  name: "run_tests",
  description: "Execute the test suite with the project's own command, and read what it says",
  domain: "testing",
  keywords: ["run", "execute", "test"],
  tier: "core",
  parameters: { round: int("Which round of the run") },
  tokens: 77,
});

export const testerRole = defineRole({
  card: standardCards.tester,
  core: [runTests, runCommand],
});
