/** The Inspector: runs the project's own linter or type checker. */
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { createChecker } from "../shared/checks/index.ts";

export function createInspector(context: RunContext): RoleHandler {
  const check = createChecker(
    { role: "inspector", kind: "inspection", corrections: "VALIDATION_CORRECTIONS" },
    context,
  );
  return answerMessages({
    VALIDATE_TASK: async (request, signal) => ({ type: "VALIDATION_RESULT", payload: await check(request, signal) }),
  });
}
