/** The ports of the guard. */
import type { Agent, AgentId, AgentRef, Leftovers, Project, ProjectId } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { RecentReads } from "../commits/index.ts";
import type { LeftNews } from "../left-processes/index.ts";
import type { RegistryPorts, RegistryRepositories } from "../registry/index.ts";
import type { ReservationPorts, ReservationRepositories } from "../reservations/index.ts";
import type { WorkItemRepository } from "../work-items/index.ts";
import type { GatePasses } from "./gate-passes.ts";
import type { InstallNews } from "./install-news.ts";
import type { ToldLosses } from "./told-losses.ts";
import type { ToolCalls } from "./tool-calls.ts";
import type { GitCommand, TreeGit } from "./tree-git.ts";
import type { UnguardedCalls } from "./unguarded-calls.ts";

export type GuardRepositories = RegistryRepositories &
  ReservationRepositories & { readonly workItems: WorkItemRepository; readonly audit: AuditRepository };

/** warn: say it and go on. deny: stop agents, warn people. strict: stop people too, and whatever cannot be known. */
export type GuardPolicy = "warn" | "deny" | "strict";

/** Keeps what files hold, before and after a tool writes them; reads it before it returns. */
export type WriteKeeper = {
  before(write: KeptWrite): void;
  after(write: KeptWrite & { readonly agent: AgentId }): void;
};
/** terminal, editor: a person uses it. client: a coding agent that did not register is among its ancestors. */
export type ProcessOrigin =
  | { readonly kind: "terminal" | "unknown" }
  | { readonly kind: "editor" | "client"; readonly program: string };
export type KeptWrite = { readonly project: ProjectId; readonly tree: string; readonly paths: readonly string[] };

export type CommandTargets = {
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  readonly unknown: readonly string[];
  readonly programs: readonly string[];
  readonly gitCommands: readonly GitCommand[];
};

export type GuardPorts = Omit<RegistryPorts, "store"> &
  Omit<ReservationPorts, "store"> & {
    readonly store: Store<GuardRepositories>;
    readonly told: ToldLosses;
    readonly unguarded: UnguardedCalls;
    readonly calls: ToolCalls;
    readonly passes: Pick<GatePasses, "passed">;
    readonly reads: RecentReads;
    /** Local history; absent where there are no files, as in a simulation. */
    readonly kept?: WriteKeeper | undefined;
    /** Where a process comes from, by those it descends from; absent where there are no processes. */
    readonly originOf?: ((ancestors: readonly number[]) => Promise<ProcessOrigin>) | undefined;
    /** Absent where there is no git, as in a simulation. */
    readonly treeGit?: TreeGit | undefined;
    /** The agents that wrote changed files last, as far as local history knows them. */
    readonly lastWriters: (tree: string, paths: readonly string[]) => Promise<ReadonlyMap<string, AgentRef>>;
    /** The write targets of a shell command; undefined for one that writes nothing. */
    readonly readCommand: (command: string, folder: string) => CommandTargets | undefined;
    /** Whether the kernel keeps files of others read-only for an agent's commands. */
    readonly shells: {
      of(agent: Pick<AgentRef, "id" | "client"> & { readonly tree: string }): Promise<{ readonly shell: string }>;
    };
    /** What processes of killed sessions left; absent where there are no processes, as in a simulation. */
    readonly leftNews?: Pick<LeftNews, "tell"> | undefined;
    /** What is missing of installations; absent where there are none, as in a simulation. */
    readonly installs?: Pick<InstallNews, "forSession" | "tell"> | undefined;
    /** What a session should know from earlier work; undefined where it was not asked for. */
    readonly brief?: ((agent: Agent) => Promise<string | undefined>) | undefined;
    /** The open incidents, a sentence each. */
    readonly incidents: () => readonly string[];
    readonly policyFor: (tree: string) => Promise<GuardPolicy>;
    /** Worktrees and files of sessions that are gone: what was safe is removed, what was unsaved is kept aside. */
    readonly clearLeftovers: (project: Project, tree: string) => Promise<Pick<Leftovers, "removed" | "quarantined">>;
  };
