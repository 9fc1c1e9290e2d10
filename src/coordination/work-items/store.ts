/** The tables of work items, as a port. */
import type {
  AgentId,
  AgentRef,
  HandoffRecord,
  Notice,
  Progress,
  ProjectId,
  WorkItem,
  WorkItemId,
  WorkItemStatus,
} from "../../contract/index.ts";

export type WorkItemRecord = Omit<WorkItem, "attempts"> & {
  readonly project: ProjectId;
  readonly fencingToken: number;
  /** Time limits of the present claim; undefined without an owner. */
  readonly claimTtlMs: number | undefined;
  readonly stallAfterMs?: number | undefined;
};

/** How an agent did with one type of item. */
export type WorkRecord = {
  readonly type: string;
  readonly done: number;
  readonly failed: number;
  readonly doneMs: number;
};

export type NewNotice = {
  readonly agent: AgentId;
  readonly item: WorkItemId;
  readonly kind: Notice["kind"];
  readonly by: AgentRef | undefined;
  /** Fencing token of the claim it is about: the same thing about the same claim is said once. */
  readonly claim: number;
  readonly text: string;
  readonly at: number;
};

/** Agents that own items, by the time limit of their claims. */
export type ClaimOwners = readonly { readonly claimTtlMs: number; readonly agents: ReadonlySet<AgentId> }[];

export type WorkItemRepository = {
  insert(record: WorkItemRecord): Promise<void>;
  /** Writes status, owner, claim, questions, version, times and reasons. */
  update(record: WorkItemRecord): Promise<void>;
  /** Writes text, rank, labels, parent, version and time, and all links anew. */
  rewrite(record: WorkItemRecord): Promise<void>;
  find(id: WorkItemId): Promise<WorkItemRecord | undefined>;
  findByExternalId(project: ProjectId, externalId: string): Promise<WorkItemRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly status: WorkItemStatus | undefined;
    readonly label?: string | undefined;
    readonly parent?: WorkItemId | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly WorkItemRecord[]>;
  /** Open items that wait for nothing, best first. */
  readyOpen(project: ProjectId | undefined, limit: number): Promise<readonly WorkItemRecord[]>;
  /** Items in progress without an owner that wait for nothing, best first. */
  readyOwnerless(project: ProjectId | undefined, limit: number): Promise<readonly WorkItemRecord[]>;
  /** Items in progress with an owner that were called stuck. */
  stuck(project: ProjectId | undefined): Promise<readonly WorkItemRecord[]>;
  /** Every agent that owns something, by the time limit of its claims. */
  owners(): Promise<ClaimOwners>;
  countOwnedBy(agent: AgentId): Promise<number>;
  ownedBy(agent: AgentId): Promise<readonly WorkItemRecord[]>;
  owned(): Promise<readonly WorkItemRecord[]>;
  openDependencies(id: WorkItemId): Promise<readonly WorkItemId[]>;
  /** Whether anything is reached from `from` over links of that kind that ends at `to`. */
  reaches(kind: "blocks" | "parent", from: WorkItemId, to: WorkItemId): Promise<boolean>;
  next(kind: "blocks" | "parent", id: WorkItemId): Promise<readonly WorkItemId[]>;
  isNeeded(kind: "blocks" | "parent", id: WorkItemId): Promise<boolean>;
  addProgress(id: WorkItemId, report: Progress, keep: number): Promise<void>;
  /** Newest first. */
  progressOf(id: WorkItemId): Promise<readonly Progress[]>;
  setHandoff(id: WorkItemId, record: HandoffRecord): Promise<void>;
  handoffOf(id: WorkItemId): Promise<HandoffRecord | undefined>;
  /** False when the agent was told so already. */
  addNotice(notice: NewNotice): Promise<boolean>;
  noticesOf(agent: AgentId, after: number, limit: number): Promise<readonly Notice[]>;
  removeNoticesBefore(at: number): Promise<number>;
  countOutcome(
    agent: AgentId,
    type: string,
    outcome: { readonly done: boolean; readonly tookMs: number },
  ): Promise<void>;
  recordsOf(agent: AgentId): Promise<readonly WorkRecord[]>;
  /** Closed and unchanged since; one that an item which stays names stays too, so that no answer changes. */
  removeClosedBefore(at: number, except: readonly WorkItemId[]): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
  idsOf(project: ProjectId): Promise<readonly WorkItemId[]>;
  tally(project: ProjectId): Promise<{ readonly total: number; readonly open: number; readonly bytes: number }>;
};
