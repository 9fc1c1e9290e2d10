/** What Inspector and Tester have in common, so that neither knows the other: a role that checks with the project's own command: reports to who asked, and sends rejections to the Architect. */
import type { Check, MessageType } from "../../../contract/index.ts";
import type { RoleHandler } from "../../../orchestration/guide/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";
import { discoverChecks, runCheck } from "../../../orchestration/quality/index.ts";

type Terms = {
  readonly role: "inspector" | "tester";
  readonly kind: Check["kind"];
  readonly answer: MessageType;
  readonly corrections: MessageType;
};
type Ports = Pick<RunContext, "work" | "workspace" | "workspaces" | "guide" | "clock" | "ids" | "record" | "command">;

const deadlineMs = 60_000;

export function createChecker({ role, kind, answer, corrections }: Terms, ports: Ports): RoleHandler {
  const { work, workspace, workspaces, guide, record } = ports;
  return async (message, signal) => {
    const { testCommand: test, lintCommand: lint } = work.run.options;
    const commands = await discoverChecks({
      baseFile: (path) => workspaces.baseFile(workspace, path),
      userCommands: { test, lint },
    });
    const report = await runCheck(
      { kind, by: role, round: Number(message.payload.round), command: commands[kind], tree: workspace.tree, signal },
      { ...ports, contentHash: workspaces.contentHash },
    );
    await record({ kind: "check", ...report });
    const findings = [...report.findings];
    if (findings.length > 0)
      await guide.ask(role, "architect", corrections, { findings }, { parent: message, deadlineMs, signal });
    return { type: answer, payload: { check: report.check, findings } };
  };
}
