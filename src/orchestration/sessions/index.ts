export type { DiffSummary, FileChange, Workspace, WorkspacePort } from "./workspace-port.ts";
