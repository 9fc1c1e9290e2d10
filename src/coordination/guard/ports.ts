/** The ports of the guard. */
import type { AgentId, Leftovers, Project, ProjectId } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { RecentReads } from "../commits/index.ts";
import type { LeftNews } from "../left-processes/index.ts";
import type { RegistryPorts, RegistryRepositories } from "../registry/index.ts";
import type { ReservationPorts, ReservationRepositories } from "../reservations/index.ts";
import type { WorkItemRepository } from "../work-items/index.ts";
import type { InstallNews } from "./install-news.ts";
import type { ToldLosses } from "./told-losses.ts";
import type { ToolCalls } from "./tool-calls.ts";
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
export type KeptWrite = { readonly project: ProjectId; readonly tree: string; readonly paths: readonly string[] };

export type GuardPorts = Omit<RegistryPorts, "store"> &
  Omit<ReservationPorts, "store"> & {
    readonly store: Store<GuardRepositories>;
    readonly told: ToldLosses;
    readonly unguarded: UnguardedCalls;
    readonly calls: ToolCalls;
    readonly reads: RecentReads;
    /** Local history; absent where there are no files, as in a simulation. */
    readonly kept?: WriteKeeper | undefined;
    /** What processes of killed sessions left; absent where there are no processes, as in a simulation. */
    readonly leftNews?: Pick<LeftNews, "tell"> | undefined;
    /** What is missing of installations; absent where there are none, as in a simulation. */
    readonly installs?: Pick<InstallNews, "forSession" | "tell"> | undefined;
    /** The open incidents, a sentence each. */
    readonly incidents: () => readonly string[];
    readonly policyFor: (tree: string) => Promise<GuardPolicy>;
    /** Worktrees and files of sessions that are gone: what was safe is removed, what was unsaved is kept aside. */
    readonly clearLeftovers: (project: Project, tree: string) => Promise<Pick<Leftovers, "removed" | "quarantined">>;
  };
