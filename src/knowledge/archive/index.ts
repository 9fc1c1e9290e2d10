export { historyHandlers } from "./handlers.ts";
export { listHistory } from "./list-history.ts";
export type { ArchiveRepository } from "./store.ts";
export { sqliteArchive } from "./store.sqlite.ts";
