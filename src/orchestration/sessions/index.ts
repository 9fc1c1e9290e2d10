export type { DiffSummary, FileChange, Workspace, WorkspacePort } from "./workspace-port.ts";
export type { PartFactories, SessionContext, SessionMessage, SessionPart } from "./session-context.ts";
export { newSession, refuseAtRest, sessionFor, type SessionTx } from "./session-for.ts";
export { focusClient, sessionOperations } from "./session-operations.ts";
export type { SessionWork } from "./session-work.ts";
export { createSessions } from "./sessions.ts";
export type { By, OnBlur, Sessions, SessionStats, WantedSession } from "./sessions-port.ts";
export type { SessionRepository } from "./store.ts";
export { sqliteSessions } from "./store.sqlite.ts";
