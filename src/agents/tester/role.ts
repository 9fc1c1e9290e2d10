/** The Tester: runs the project's own tests and reads what they say. */
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { createChecker } from "../shared/checks/index.ts";

export function createTester(context: RunContext): RoleHandler {
  const check = createChecker({ role: "tester", kind: "tests", corrections: "TEST_CORRECTIONS" }, context);
  return answerMessages({
    TESTS_READY: async (request, signal) => ({ type: "TEST_RESULTS", payload: await check(request, signal) }),
  });
}
