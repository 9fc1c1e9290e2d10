export type { TreeWatcher, WatchedTree, WatcherTold } from "./ports.ts";
export { watchTrees } from "./watch-trees.ts";
