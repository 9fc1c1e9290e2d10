/** Local history, connected to git, settings, the home and health. */
import { join } from "node:path";
import { createFileGit, createGit } from "../../adapters/git/index.ts";
import type { AgentCaller } from "../../contract/index.ts";
import {
  changedBy,
  changedFiles,
  lastWriters,
  createContentPacks,
  createFileHistory,
  fileHistoryHandlers,
  type FileHistory,
} from "../../coordination/file-history/index.ts";
import type { ToolCalls } from "../../coordination/guard/index.ts";
import { failureOf, outcomeOf } from "../../oversight/health/index.ts";
import { reservationPorts } from "./coordination.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { historyLimits } from "./settings.ts";

const component = "file history";

export function composeFileHistory(parts: DaemonParts & { readonly calls: ToolCalls }, terms: DaemonTerms) {
  const { clock, env, log, paths, settings, scratch } = terms;
  const { health } = parts;
  const git = createFileGit(createGit(clock, env));
  const limits = historyLimits(settings);
  const fileHistory: FileHistory = createFileHistory({
    ...parts,
    git,
    packs: createContentPacks(join(paths.home, "file-history")),
    // In a scratch home there are no files.
    limits: { ...limits, isOn: limits.isOn && scratch !== true },
    onKept: (troubles) => health.report(outcomeOf(component, troubles)),
    onFailed(error) {
      health.report(failureOf(component, error));
      log.warn("file-history.failed", { error });
    },
  });
  const changes = { ...parts, fileHistory, git };
  const handlers = fileHistoryHandlers({
    ...reservationPorts(parts, terms),
    fileHistory,
    git,
  });
  return {
    fileHistory,
    handlers,
    changedFiles: (tree: string) => changedFiles(tree, changes),
    changedBy: (agent: string, tree: string, caller: AgentCaller) => changedBy(agent, tree, caller, changes),
    lastWriters: (tree: string, paths: readonly string[]) => lastWriters(tree, paths, changes),
    kept: limits.isOn ? fileHistory : undefined,
  };
}
