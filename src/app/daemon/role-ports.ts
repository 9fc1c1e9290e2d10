/** Connects the searches and checks of roles outside of runs with git and the pool. */
import { join } from "node:path";
import { createGit, createWorkspaces, filesKnownTo } from "../../adapters/git/index.ts";
import { rolePorts } from "../../agents/roles/index.ts";
import type { CheckCommands } from "../../orchestration/quality/index.ts";
import type { CodeIndex } from "../../knowledge/code-index/index.ts";
import { folderInside, noChoices } from "../../knowledge/toolchains/index.ts";
import { commandEnvironment } from "../../orchestration/executors/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import type { composeTools } from "./tools.ts";
import { composeRemoteScan } from "./remote-scan.ts";

export function composeRolePorts(
  parts: DaemonParts,
  terms: DaemonTerms,
  checks: Pick<CheckCommands, "run">,
  { discovery, scanTools, toolNames }: Pick<ReturnType<typeof composeTools>, "discovery" | "scanTools" | "toolNames">,
  index: Pick<CodeIndex, "ask" | "forget">,
  researchAt: Parameters<typeof rolePorts>[0]["researchAt"],
) {
  const { clock, env, paths, redactor } = terms;
  const git = createGit(clock, env);
  const workspaces = createWorkspaces(git, join(paths.home, "worktrees"), clock);
  return rolePorts({
    ...parts,
    index,
    researchAt,
    toolNames,
    reader: parts.store.reader,
    listFiles: filesKnownTo(git),
    committedFile: (tree, path) =>
      workspaces.baseFile({ tree, baseCommit: "HEAD", branch: "HEAD", repository: tree }, path),
    committedNames: (tree, folder) =>
      workspaces.baseNames({ tree, baseCommit: "HEAD", branch: "HEAD", repository: tree }, folder),
    toolsIn: async ({ path, category = "all", languages }, { session, tree, agent = "user" }) =>
      discovery.discover({ session, agent, category, languages, path: await folderInside(tree, path) }),
    scanTools: async ({ path, category = "all" }, { tree, agent = "user" }) =>
      scanTools({
        agent,
        category,
        minConfidence: "medium",
        choices: noChoices,
        path: await folderInside(tree, path),
      }),
    scanRemote: composeRemoteScan(terms, index, discovery),
    contentHash: workspaces.contentHash,
    async command(request, { session, agent }) {
      const result = await checks.run({ ...request, env: commandEnvironment({}, env) }, { group: session, agent });
      return { ...result, output: redactor.text(result.output) };
    },
  });
}
