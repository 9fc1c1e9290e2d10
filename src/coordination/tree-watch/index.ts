export type { ChangeKeeper, TreeWatcher, WatchedTree, WatcherTold } from "./ports.ts";
export { watchTrees } from "./watch-trees.ts";
