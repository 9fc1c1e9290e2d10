/** Connects `src/data` with the daemon's store, git and home. */
import { join } from "node:path";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { dataHandlers } from "../../data/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";

export type RecordOperation = OperationsOn<"project" | "store" | "id">;

type DataWiring = Parameters<typeof dataHandlers>[0];

export function recordHandlers(
  parts: DaemonParts,
  { paths, env, clock, copyStore }: DaemonTerms,
  { evictForgotten, fileHistory, codeIndex }: Pick<DataWiring, "evictForgotten" | "fileHistory" | "codeIndex">,
): OperationHandlers<Repositories, RecordOperation> {
  const workspaces = createWorkspaces(createGit(clock, env), join(paths.home, "worktrees"), clock);
  return dataHandlers({ ...parts, workspaces, paths, copyStore, evictForgotten, fileHistory, codeIndex });
}
