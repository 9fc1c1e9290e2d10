/** The commands that judge a run's change. */
import { discoverChecks } from "../../../orchestration/quality/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";

export function projectChecks({
  work,
  workspace,
  workspaces,
}: Pick<RunContext, "work" | "workspace" | "workspaces">): ReturnType<typeof discoverChecks> {
  const { testCommand: test, lintCommand: lint } = work.run.options;
  return discoverChecks({
    baseFile: (path) => workspaces.baseFile(workspace, path),
    baseNames: () => workspaces.baseNames(workspace, ""),
    tree: workspace.tree,
    userCommands: { test, lint },
    ownSettings: work.ownChecks,
  });
}
