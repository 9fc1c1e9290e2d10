/**
 * The caller of an operation: the user of this machine, or one agent. The user's token may act for any agent of a project (the CLI and git
 * hooks do); an agent's token acts for that agent alone.
 */
import type { AgentRef, ClientName, Project } from "./agent.ts";

export type UserCaller = {
  readonly kind: "user";
  readonly project: Project | undefined;
  /** Folder that the call is about, where it names one. */
  readonly folder?: string | undefined;
};
export type AgentCaller = {
  readonly kind: "agent";
  readonly agent: AgentRef;
  readonly project: Project;
  readonly tree: string;
  /** Of the person, where nothing named an agent: the processes that the call descends from, the nearest first. */
  readonly descends?: readonly number[] | undefined;
};
export type Caller = UserCaller | AgentCaller;

/** The client session a call comes from, as the client's own variables name it. */
export type ClientSession = {
  readonly key: string;
  readonly client: ClientName;
  /** The client's process. */
  readonly pid?: number | undefined;
};

/**
 * What a surface read off the wire; nothing in it is trusted yet. The user's call is for the agent named by `actAs`, else
 * for that of its session, else for that of the nearest registered ancestor process or of the client whose tool server
 * registered, else for the user's own.
 */
export type Credentials = {
  readonly token: string | undefined;
  /** Folder of the project a user's call is about. */
  readonly projectPath?: string | undefined;
  /** Agent (id, name or handle) the user acts for. */
  readonly actAs?: string | undefined;
  /** The token came in the address of MCP: it registers agents and acts for those whose handle a call gives. */
  readonly inAddress?: boolean | undefined;
  readonly session?: ClientSession | undefined;
  /** Process ids the call descends from, the nearest first. */
  readonly ancestors?: readonly number[] | undefined;
  readonly needsAgent?: NeedsAgent | undefined;
  /** A list that can cover all projects: asked from outside any repository, it does. */
  readonly coversAll?: boolean | undefined;
  /** Several sessions of one process are none of them: a commit is attributed to no agent by guess. */
  readonly isCertain?: boolean | undefined;
};

/**
 * Of a call over MCP, whose sender is a model and never the person at the machine: where no agent is found, "to-act" refuses
 * what agents do, "to-change" every change but a registration.
 */
export type NeedsAgent = "to-act" | "to-change";

/** Turns credentials into a caller for an operation, or refuses. */
export type Authenticate = (credentials: Credentials, actor: "user" | "agent" | "anyone") => Promise<Caller>;
