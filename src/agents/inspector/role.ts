/** The Inspector: runs the project's own linter or type checker. */
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { createChecker } from "../shared/checks/index.ts";

export function createInspector(context: RunContext): RoleHandler {
  return createChecker(
    { role: "inspector", kind: "inspection", answer: "VALIDATION_RESULT", corrections: "VALIDATION_CORRECTIONS" },
    context,
  );
}
