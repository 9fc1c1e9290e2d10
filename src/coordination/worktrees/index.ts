export type { Worktrees } from "./ports.ts";
export { worktreeHandlers } from "./handlers.ts";
export { ownedTrees } from "./owned-trees.ts";
