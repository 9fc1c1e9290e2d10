export type { ChangedFile, ChangeKeeper, TreeWatcher, WatchedTree, WatcherTold } from "./ports.ts";
export { watchTrees } from "./watch-trees.ts";
