export { createTreeWatcher } from "./tree-watcher.ts";
