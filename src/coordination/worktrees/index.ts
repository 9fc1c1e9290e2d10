export type { Worktrees } from "./ports.ts";
export { createWorktree, listWorktrees, removeWorktree } from "./worktrees.ts";
