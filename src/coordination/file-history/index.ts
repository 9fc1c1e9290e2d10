export { changedBy } from "./changed-by.ts";
export { changedFiles } from "./changed-files.ts";
export { createContentPacks } from "./content-packs.ts";
export { createFileHistory, type FileHistory, type GuardedTree } from "./file-history.ts";
export { fileHistoryHandlers } from "./handlers.ts";
export type { CommittedFile, FileGit, HistoryLimits, Side } from "./ports.ts";
export { lastWriters } from "./last-writers.ts";
export type { FileVersionRepository } from "./store.ts";
export { sqliteFileVersions } from "./store.sqlite.ts";
