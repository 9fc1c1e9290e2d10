export { createAgentWorktrees, ownersIn } from "./agent-worktrees.ts";
export { createCommitter, parseChanges } from "./commit/index.ts";
export { createFileGit } from "./file-git.ts";
export { filesKnownTo } from "./known-files.ts";
export { clearLeftovers } from "./leftovers.ts";
export { createMerger } from "./merge/index.ts";
export { createGit } from "./run-git.ts";
export { createSessionIndexes } from "./session-indexes.ts";
export { createWorkspaces } from "./workspaces.ts";
