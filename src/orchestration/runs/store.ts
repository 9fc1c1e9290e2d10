/** The tables of runs, besides their graph: request, change, checks, findings and cost. */
import type {
  Check,
  Finding,
  NodeState,
  Plan,
  PlanNode,
  ProjectId,
  Run,
  RunCost,
  RunId,
  RunStatus,
  SessionId,
} from "../../contract/index.ts";
import type { ArchiveRepository } from "../../knowledge/archive/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import type { GraphTx } from "../graphs/index.ts";
import type { Workspace } from "../sessions/index.ts";

/** The options of the request. They never contain a key. */
export type RunOptions = {
  readonly repository: string;
  readonly approve: boolean;
  readonly budget: number | undefined;
  readonly provider: string | undefined;
  readonly rehearse: string | undefined;
  readonly testCommand: readonly string[] | undefined;
  readonly lintCommand: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
};

export type RunRecord = {
  readonly id: RunId;
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly request: string;
  readonly status: RunStatus;
  readonly reason: string | undefined;
  readonly label: string | undefined;
  readonly model: string | undefined;
  readonly options: RunOptions;
  readonly plan: Plan | undefined;
  readonly workspace: Workspace | undefined;
  readonly commit: string | undefined;
  readonly outcome: Run["outcome"];
  /** Its tree and branch are gone: nothing in them waits to be merged. */
  readonly cleared: boolean;
  /** The merge commit. */
  readonly mergedAs: string | undefined;
  readonly cost: RunCost;
  /** The event cursor before its first event. */
  readonly since: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type RemovedRuns = {
  readonly runs: number;
  readonly sessions: number;
  /** The trees of runs that were not discarded. */
  readonly workspaces: readonly Workspace[];
};

/** A node as an older Sylk stored it, before runs were graphs. */
export type OldNode = PlanNode & {
  readonly round: number;
  readonly state: NodeState;
  readonly attempt: number;
  readonly agent: string | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly record: NodeRecord | undefined;
};

export type RunRepository = {
  insert(run: RunRecord): Promise<void>;
  /** Writes everything that changes while a run lasts. Its options stay; only their budget changes, by `setBudget`. */
  update(run: RunRecord): Promise<void>;
  setBudget(id: RunId, tokens: number, at: number): Promise<void>;
  find(id: RunId): Promise<RunRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly status: RunStatus | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly RunRecord[]>;
  withStatus(statuses: readonly RunStatus[]): Promise<readonly RunRecord[]>;
  addCheck(run: RunId, check: Check, findings: readonly Finding[]): Promise<void>;
  checksOf(run: RunId): Promise<readonly Check[]>;
  findingsOf(run: RunId): Promise<readonly Finding[]>;
  /** Runs of an older Sylk, from before runs were graphs. */
  withoutGraph(): Promise<readonly RunId[]>;
  oldNodesOf(run: RunId): Promise<readonly OldNode[]>;
  /** Returns the old nodes and deletes their rows. */
  takeOldNodes(run: RunId): Promise<readonly OldNode[]>;
  /** Removes runs that finished before this time. Keeps and counts those whose change waits to be merged or discarded. */
  removeFinishedBefore(at: number): Promise<RemovedRuns & { readonly keptOpen: number }>;
  removeProject(project: ProjectId): Promise<RemovedRuns>;
  /** For one project, or for all. */
  idsOf(project: ProjectId | undefined): Promise<readonly RunId[]>;
  tally(project: ProjectId): Promise<{ readonly total: number; readonly unfinished: number; readonly bytes: number }>;
};

export type RunTx = GraphTx & { readonly runs: RunRepository; readonly archive: ArchiveRepository };
