/** What the registry keeps: projects, agents, tokens. */
import type { AgentId, ClientKind, Project, ProjectId } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";

export type AgentRecord = {
  readonly id: AgentId;
  readonly project: Project;
  readonly name: string;
  readonly client: ClientKind;
  readonly sessionKey: string;
  readonly tree: string;
  readonly capabilities: readonly string[];
  readonly pid: number | undefined;
  readonly registeredAt: number;
  /** Written at most every few seconds; `Liveness` knows better while the daemon lives. */
  readonly lastSeenAt: number;
  readonly offlineAt: number | undefined;
  readonly endedAt: number | undefined;
};

export type AgentRepository = {
  insert(record: AgentRecord): Promise<void>;
  /** Everything but identity (id, project, session key, registration time) may change. */
  update(record: AgentRecord): Promise<void>;
  find(id: AgentId): Promise<AgentRecord | undefined>;
  findBySessionKey(project: ProjectId, sessionKey: string): Promise<AgentRecord | undefined>;
  findByName(project: ProjectId, name: string): Promise<AgentRecord | undefined>;
  /** All agents, or those of one project; without ended and offline ones unless asked for. */
  list(query: {
    readonly project: ProjectId | undefined;
    readonly includeGone: boolean;
  }): Promise<readonly AgentRecord[]>;
  setLastSeen(id: AgentId, at: number): Promise<void>;
  /** Ended ones, of all projects. */
  endedBefore(at: number): Promise<readonly AgentId[]>;
  /** With their tokens; nothing may refer to them any more. */
  remove(ids: readonly AgentId[]): Promise<number>;
};

export type ProjectRepository = {
  findByPath(path: string): Promise<Project | undefined>;
  find(id: ProjectId): Promise<Project | undefined>;
  insert(project: Project, at: number): Promise<void>;
  /** In the order they were first seen. */
  list(): Promise<readonly (Project & { readonly firstSeenAt: number })[]>;
  /** Nothing may belong to it any more. */
  remove(id: ProjectId): Promise<void>;
};

export type TokenRepository = {
  issue(hash: string, agent: AgentId | undefined, at: number): Promise<void>;
  /** `agent: undefined` is the user's own token. */
  find(hash: string): Promise<{ readonly agent: AgentId | undefined } | undefined>;
  revokeAllOf(agent: AgentId | undefined): Promise<void>;
  /** Keeps the newest tokens of an agent and removes the rest. */
  keepNewest(agent: AgentId, count: number): Promise<void>;
};

export type RegistryRepositories = {
  readonly agents: AgentRepository;
  readonly projects: ProjectRepository;
  readonly tokens: TokenRepository;
  readonly events: EventRepository;
};
