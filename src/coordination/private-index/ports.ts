/** The port of session indexes to git; `adapters/git` implements it. A folder's name says whose it is, so that a restart forgets none. */
import type { AgentId, SessionIndex } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { KeyedQueue } from "../../platform/keyed-queue/index.ts";
import type { AgentRepository } from "../registry/index.ts";

/** Paths that stay staged, and those that others have committed since they were. */
export type Rebuilt = {
  readonly index: SessionIndex;
  readonly kept: readonly string[];
  readonly unstaged: readonly string[];
};
export type SessionIndexes = {
  make(tree: string, agent: AgentId): Promise<SessionIndex>;
  find(agent: AgentId): SessionIndex | undefined;
  /** Everyone who has one, also where nothing else can be read of it. */
  owners(): readonly AgentId[];
  /** Undefined where it is still based on HEAD and is young, and during a merge. */
  rebuild(index: SessionIndex): Promise<Rebuilt | undefined>;
  /** After a commit from it: the tree's shared index still has the old content of these paths, which would undo it. */
  shareCommit(index: SessionIndex, commit: string): Promise<void>;
  remove(agent: AgentId): void;
  /** Removes what lies beside them under a name that no agent can have; says what. */
  removeStrays(): readonly string[];
};

export type SessionIndexRepositories = { readonly agents: AgentRepository; readonly events: EventRepository };
export type SessionIndexPorts = {
  readonly store: Store<SessionIndexRepositories>;
  readonly indexes: SessionIndexes;
  readonly turns: KeyedQueue;
};
