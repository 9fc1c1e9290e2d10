/**
 * The part that Inspector and Tester share, so that neither knows the other: one check with the project's own command.
 *
 *   run the check -> findings to the Architect -> the check to the asker
 */
import type { Check, Message, PayloadOf } from "../../../contract/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";
import { runCheck } from "../../../orchestration/quality/index.ts";
import { projectChecks } from "./project-checks.ts";

type CheckerRole = {
  readonly role: "inspector" | "tester";
  readonly kind: Check["kind"];
  readonly corrections: "VALIDATION_CORRECTIONS" | "TEST_CORRECTIONS";
};
type CheckerContext = Pick<RunContext, "work" | "workspace" | "workspaces" | "guide" | "clock" | "ids" | "command">;
type CheckRequest = Pick<Message, "id"> & { readonly payload: PayloadOf<"VALIDATE_TASK" | "TESTS_READY"> };

const deadlineMs = 60_000;

export function createChecker({ role, kind, corrections }: CheckerRole, context: CheckerContext) {
  const { workspace, workspaces, guide } = context;
  return async (request: CheckRequest, signal: AbortSignal): Promise<{ check: Check }> => {
    const commands = await projectChecks(context);
    const { check, findings } = await runCheck(
      {
        kind,
        by: role,
        round: request.payload.round,
        command: commands[kind],
        problem: commands.problem,
        tree: workspace.tree,
        signal,
      },
      {
        ...context,
        contentHash: workspaces.contentHash,
        command: (wanted) => workspaces.leaveOutNewFiles(workspace, () => context.command(wanted)),
      },
    );
    const terms = { parent: request, deadlineMs, signal };
    if (findings.length > 0) await guide.ask(role, "architect", corrections, { findings: [...findings] }, terms);
    return { check };
  };
}
