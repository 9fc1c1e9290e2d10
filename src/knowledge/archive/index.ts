/** Door of the archive: entries by session, reports over them, and the hooks around both. */
export { type ArchiveMemory, createArchiveMemory } from "./archive-memory.ts";
export { briefingFor } from "./brief-session.ts";
export { tokensOf } from "./entry-row.ts";
export { type HistoryPorts, historyHandlers } from "./handlers.ts";
export { hashingVectors } from "./hashing-vectors.ts";
export { chosenOr } from "./keep-snapshot.ts";
export { listHistory } from "./list-history.ts";
export { createQueryCounts } from "./query-counts.ts";
export { followSessions, keepSteps } from "./session-life.ts";
export type { ArchiveRepository, NewEntry, Saving, WorkflowDefinition } from "./store.ts";
export { followPreferences, toolPreferences } from "./tool-preferences.ts";
export { sqliteArchive } from "./store.sqlite.ts";
