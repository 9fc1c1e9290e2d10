/** The tables of sessions: rows, snapshots, the focus of each client, promoted preferences. */
import type { ProjectId, Session, SessionId, SessionState } from "../../contract/index.ts";
import type { Snapshot } from "./snapshot.ts";

export type SessionRepository = {
  insert(session: Session): Promise<void>;
  update(session: Session): Promise<void>;
  find(id: SessionId): Promise<Session | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly state?: SessionState | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly Session[]>;
  /** For one project, or for all. */
  countByState(project: ProjectId | undefined): Promise<Readonly<Partial<Record<SessionState, number>>>>;
  /** Sessions that are neither ended nor suspended, and were not created for a run. */
  openIds(): Promise<readonly SessionId[]>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  findSnapshot(id: SessionId): Promise<Snapshot | undefined>;
  removeSnapshot(id: SessionId): Promise<void>;
  focusOf(client: string): Promise<SessionId | undefined>;
  setFocus(client: string, session: SessionId, since: number): Promise<void>;
  /** Removes the session from the focus of all clients. */
  removeFocusOn(session: SessionId): Promise<void>;
  promotedPreferences(project: ProjectId): Promise<Readonly<Record<string, string>>>;
  promote(project: ProjectId, name: string, value: string): Promise<void>;
  withdraw(project: ProjectId, name: string): Promise<void>;
};
