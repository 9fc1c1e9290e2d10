export type { SessionPorts } from "./archive-scope.ts";
export { type HistoryPorts, historyHandlers } from "./handlers.ts";
export { listHistory } from "./list-history.ts";
export type { ArchiveRepository, EntryFilter, NewEntry } from "./store.ts";
export { sqliteArchive } from "./store.sqlite.ts";
