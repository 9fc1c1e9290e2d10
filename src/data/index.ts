export type { RecordRepositories } from "./data-ports.ts";
export { dataHandlers } from "./handlers.ts";
export { lifetimes } from "./lifetimes.ts";
export { sqliteNamedThings, type NamedThings } from "./named-things.sqlite.ts";
export { recordRestore } from "./record-restore.ts";
export { removeOldRecords } from "./remove-old-records.ts";
