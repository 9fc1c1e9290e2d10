/** The tables of the registry, as a port: projects, agents, tokens. */
import type { AgentId, ClientName, Project, ProjectId, WorkItemId } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";

export type AgentRecord = {
  readonly id: AgentId;
  readonly project: Project;
  readonly name: string;
  readonly client: ClientName;
  readonly sessionKey: string;
  /** Fixed when the agent is made, so that there is no cycle. */
  readonly parent: AgentId | undefined;
  readonly tree: string;
  readonly branch: string | undefined;
  readonly capabilities: readonly string[];
  readonly pid: number | undefined;
  /** Start time of that process while it is watched: known to run on this host, and not seen to be gone. */
  readonly processStart: string | undefined;
  readonly host: string | undefined;
  /** Its newest claim, where it was asked for; kept by the work items, read here only. */
  readonly workItem?: { readonly id: WorkItemId; readonly title: string } | undefined;
  readonly registeredAt: number;
  /** Written at most every few seconds; `Liveness` knows better while the daemon lives. */
  readonly lastSeenAt: number;
  readonly offlineAt: number | undefined;
  readonly endedAt: number | undefined;
};

/** A process whose end is its agent's end. */
export type WatchedProcess = { readonly agent: AgentId; readonly pid: number; readonly start: string } & Pick<
  AgentRecord,
  "client" | "sessionKey"
>;

export type AgentQuery = {
  /** Undefined: of all projects. */
  readonly project: ProjectId | undefined;
  /** Also offline and ended ones that are not compacted yet. */
  readonly includeGone: boolean;
  /** Only those that declared all of these. */
  readonly capabilities?: readonly string[];
  readonly withWork?: boolean;
};

export type AgentRepository = {
  insert(record: AgentRecord): Promise<void>;
  /** Everything but identity (id, project, session key, parent, registration time) may change. */
  update(record: AgentRecord): Promise<void>;
  find(id: AgentId): Promise<AgentRecord | undefined>;
  findWithWork(id: AgentId): Promise<AgentRecord | undefined>;
  findBySessionKey(project: ProjectId, sessionKey: string): Promise<AgentRecord | undefined>;
  findByName(project: ProjectId, name: string): Promise<AgentRecord | undefined>;
  /** Who worked in this tree last. */
  findByTree(tree: string): Promise<AgentRecord | undefined>;
  /** Whom this process was registered for and who has not ended: sub-agents last, of the others the newest first. */
  listByProcess(project: ProjectId, pid: number): Promise<readonly AgentRecord[]>;
  list(query: AgentQuery): Promise<readonly AgentRecord[]>;
  /** How many a project ever had. */
  count(project: ProjectId): Promise<number>;
  /** Children that have not ended, in order of their registration. */
  childrenOf(parent: AgentId): Promise<readonly AgentRecord[]>;
  /** Of live agents. */
  watchedProcesses(): Promise<readonly WatchedProcess[]>;
  setLastSeen(id: AgentId, at: number): Promise<void>;
  /** Leaves nothing but the identity of those that went before `at`; says whom. */
  compactGoneBefore(at: number): Promise<readonly AgentId[]>;
  /** Ended ones, of all projects. */
  endedBefore(at: number): Promise<readonly AgentId[]>;
  /** With their tokens; nothing that stays may refer to them. */
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
  /** The agent of the one token whose hash begins so. */
  findByHashStart(start: string): Promise<AgentId | undefined>;
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
