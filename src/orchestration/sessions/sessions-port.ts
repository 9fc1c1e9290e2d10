/** The ports and the interface of sessions. */
import type { Caller, ProjectId, Session, SessionId, SessionState, Workflow } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ContextPorts, SessionContext, SessionPart } from "./session-context.ts";
import type { SessionWork } from "./session-work.ts";
import type { SessionRepository } from "./store.ts";

export type SessionPorts<Tx, Parts> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits: { readonly max: number; readonly maxWaiting: number };
  readonly onBlur: OnBlur;
  readonly work: readonly SessionWork<Tx>[];
  readonly context: ContextPorts<Parts>;
  /** Keeps the history of a session that got where it should, in the same transaction. */
  readonly archive?: (session: Session, tx: Tx) => Promise<void>;
  /** It has ended: whatever else is kept for it may go. */
  readonly onClosed?: (session: SessionId) => void;
};

export type OnBlur = "pause" | "background";
export type Outcome = { readonly failed?: boolean | undefined; readonly reason?: string | undefined };
export type WantedSession = {
  readonly project: ProjectId;
  readonly name: string;
  readonly description?: string | undefined;
  readonly branch?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** How long to wait for room. */
  readonly waitMs?: number;
};

/** On whose behalf; with a call's own `transact` its answer is kept for repeated calls. */
export type By<Tx> = {
  readonly transact: Store<Tx>["transact"];
  readonly caller?: Caller | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ChangedValues = {
  readonly notes?: Readonly<Record<string, string | undefined>>;
  readonly preferences?: Readonly<Record<string, string | undefined>>;
};

export type SessionValues = {
  readonly session: Session;
  /** Its own over the promoted ones. */
  readonly preferences: Readonly<Record<string, string>>;
  readonly promoted: Readonly<Record<string, string>>;
};

export type SessionStats = {
  readonly states: Readonly<Record<SessionState, number>>;
  readonly open: number;
  readonly limit: number;
  readonly inMemory: number;
  readonly waiting: number;
};

export type Sessions<Tx, Parts extends Record<string, SessionPart>> = {
  create(wanted: WantedSession, by?: By<Tx>): Promise<Session>;
  get(id: SessionId): Promise<Session>;
  list(query: Parameters<SessionRepository["list"]>[0]): Promise<readonly Session[]>;
  switch(
    id: SessionId,
    client: string,
    terms?: { readonly onBlur?: OnBlur | undefined },
    by?: By<Tx>,
  ): Promise<{ readonly session: Session; readonly previous?: Session | undefined }>;
  pause(id: SessionId, by?: By<Tx>): Promise<Session>;
  suspend(id: SessionId, by?: By<Tx>): Promise<Session>;
  resume(id: SessionId, by?: By<Tx>): Promise<Session>;
  close(id: SessionId, outcome?: Outcome, by?: By<Tx>): Promise<Session>;
  closeAll(outcome?: Outcome): Promise<readonly Session[]>;
  /** The session a client looks at. */
  getActive(client: string): Promise<Session | undefined>;
  stats(project?: ProjectId): Promise<SessionStats>;
  /** What the session is at, in memory or not. */
  workflow(id: SessionId): Promise<Workflow>;
  /** All that the session holds, taken up from the disk where needed. */
  context(id: SessionId): Promise<SessionContext<Parts>>;
  /** The same for one that is in memory. */
  inMemory(id: SessionId): SessionContext<Parts> | undefined;
  /** Recorded when it resolves; what is undefined is removed. */
  set(id: SessionId, changes: ChangedValues, by?: By<Tx>): Promise<SessionValues>;
  /** Gives a preference of the session to all sessions of its project. */
  promote(id: SessionId, name: string, by?: By<Tx>): Promise<SessionValues>;
  /** Takes back one that was promoted, by this or another session of the project. */
  withdraw(id: SessionId, name: string, by?: By<Tx>): Promise<SessionValues>;
  /** The session's own over the promoted ones. */
  preferences(id: SessionId): Promise<Readonly<Record<string, string>>>;
  /** For code that makes sessions by other ways, in its own transaction. */
  refuseFull(tx: Tx): Promise<void>;
  /** Runs or graphs ended: a session that was made for one counts no longer, and the next caller in line may have its room. */
  workEnded(): void;
  /** Lets go of sessions whose rows are gone, as after a project was forgotten. */
  evictForgotten(): Promise<void>;
  /** Saves every session that is in memory, and leaves nothing of it there. */
  shutdown(): Promise<void>;
};
