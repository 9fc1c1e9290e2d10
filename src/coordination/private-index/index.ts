export { keepIndexes, type IndexKeeper } from "./keep-indexes.ts";
export type { Rebuilt, SessionIndexes, SessionIndexPorts } from "./ports.ts";
export { privateIndexHandlers } from "./handlers.ts";
