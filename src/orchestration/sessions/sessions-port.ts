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
  /** Archives the history of a completed session, in the same transaction. */
  readonly archive?: (session: Session, tx: Tx) => Promise<void>;
  /** Called when the session has ended, to free other resources of it. */
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
  /** How long to wait at the limit of sessions. */
  readonly waitMs?: number;
};

/** The caller of an operation. With the call's own `transact`, its answer is stored for repeated calls. */
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
  /** The promoted preferences, overridden by the session's own. */
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
  /** The session that a client has in focus. */
  getActive(client: string): Promise<Session | undefined>;
  stats(project?: ProjectId): Promise<SessionStats>;
  /** Sessions with unfinished runs or graphs. */
  busy(): Promise<ReadonlySet<SessionId>>;
  /** The current or last work of the session. The session need not be in memory. */
  workflow(id: SessionId): Promise<Workflow>;
  /** The context of the session, loaded from disk if needed. */
  context(id: SessionId): Promise<SessionContext<Parts>>;
  /** The context, if the session is in memory. */
  inMemory(id: SessionId): SessionContext<Parts> | undefined;
  /** Resolves when the values are recorded. `undefined` removes a value. */
  set(id: SessionId, changes: ChangedValues, by?: By<Tx>): Promise<SessionValues>;
  /** Promotes a preference of the session to all sessions of its project. */
  promote(id: SessionId, name: string, by?: By<Tx>): Promise<SessionValues>;
  /** Removes a promoted preference of the project. Any of its sessions may have promoted it. */
  withdraw(id: SessionId, name: string, by?: By<Tx>): Promise<SessionValues>;
  /** The promoted preferences, overridden by the session's own. */
  preferences(id: SessionId): Promise<Readonly<Record<string, string>>>;
  /** Throws at the limit. For code that creates sessions in its own transaction. */
  refuseFull(tx: Tx): Promise<void>;
  /** Call this after runs or graphs ended. A session created for one no longer counts, so a waiting caller may enter. */
  workEnded(): void;
  /** Drops sessions from memory whose rows were deleted, such as after `sylk project forget`. */
  evictForgotten(): Promise<void>;
  /** Saves every session in memory, then drops it from memory. */
  shutdown(): Promise<void>;
};
