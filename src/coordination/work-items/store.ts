/** What the work item folder keeps. */
import type { AgentId, ProjectId, WorkItem, WorkItemId, WorkItemStatus } from "../../contract/index.ts";

export type WorkItemRecord = Omit<WorkItem, "attempts"> & {
  readonly project: ProjectId;
  readonly fencingToken: number;
  /** Time limit of the present claim; undefined without an owner. */
  readonly claimTtlMs: number | undefined;
};

export type WorkItemRepository = {
  insert(record: WorkItemRecord): Promise<void>;
  /** Writes status, owner, claim, version, times and reason. */
  update(record: WorkItemRecord): Promise<void>;
  find(id: WorkItemId): Promise<WorkItemRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly status: WorkItemStatus | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly WorkItemRecord[]>;
  /** Open items whose dependencies are all closed, best first. */
  readyOpen(project: ProjectId | undefined, limit: number): Promise<readonly WorkItemRecord[]>;
  /** Items in progress whose dependencies are all closed, with or without an owner, best first. */
  readyInProgress(project: ProjectId | undefined): Promise<readonly WorkItemRecord[]>;
  countOwnedBy(agent: AgentId): Promise<number>;
  ownedBy(agent: AgentId): Promise<readonly WorkItemRecord[]>;
  owned(): Promise<readonly WorkItemRecord[]>;
  openDependencies(id: WorkItemId): Promise<readonly WorkItemId[]>;
  /** Closed and unchanged since; one that an item which stays depends on stays too, so that no answer changes. */
  removeClosedBefore(at: number): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
  idsOf(project: ProjectId): Promise<readonly WorkItemId[]>;
  tally(project: ProjectId): Promise<{ readonly total: number; readonly open: number; readonly bytes: number }>;
};
