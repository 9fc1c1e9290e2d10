/** The Tester: runs the project's own tests and reads what they say. */
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { createChecker } from "../shared/checks/index.ts";

export function createTester(context: RunContext): RoleHandler {
  return createChecker(
    { role: "tester", kind: "tests", answer: "TEST_RESULTS", corrections: "TEST_CORRECTIONS" },
    context,
  );
}
