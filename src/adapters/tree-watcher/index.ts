export { createBranchWatcher } from "./branch-watcher.ts";
export { createTreeWatcher } from "./tree-watcher.ts";
