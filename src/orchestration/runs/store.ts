/** What runs keep: runs with their nodes, checks and findings. */
import type {
  Check,
  Finding,
  NodeId,
  Plan,
  PlanNode,
  ProjectId,
  Run,
  RunCost,
  RunId,
  RunNode,
  RunStatus,
  SessionId,
} from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import type { Workspace } from "../sessions/index.ts";

/** What the caller asked for beside the request; never contains a key. */
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
  readonly cost: RunCost;
  /** The cursor before its first event. */
  readonly since: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** A node as it stands, with the engine's own record, from which a run is restored. */
export type NodeRow = RunNode & { readonly record: NodeRecord | undefined };

export type RemovedRuns = {
  readonly runs: number;
  readonly sessions: number;
  /** Of runs whose tree was not put away by a discard. */
  readonly workspaces: readonly Workspace[];
};

export type RunRepository = {
  insert(run: RunRecord): Promise<void>;
  update(run: RunRecord): Promise<void>;
  find(id: RunId): Promise<RunRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly status: RunStatus | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly RunRecord[]>;
  withStatus(statuses: readonly RunStatus[]): Promise<readonly RunRecord[]>;
  /** Of what is unfinished in the session the newest, else the newest of all. */
  currentOf(session: SessionId): Promise<{ readonly run: RunRecord; readonly unfinished: number } | undefined>;
  insertNodes(run: RunId, round: number, nodes: readonly PlanNode[]): Promise<void>;
  updateNode(node: NodeRow): Promise<void>;
  findNode(id: NodeId): Promise<NodeRow | undefined>;
  nodesOf(run: RunId): Promise<readonly NodeRow[]>;
  addCheck(run: RunId, check: Check, findings: readonly Finding[]): Promise<void>;
  checksOf(run: RunId): Promise<readonly Check[]>;
  findingsOf(run: RunId): Promise<readonly Finding[]>;
  /** Finished and unchanged since. One whose change waits to be merged or discarded stays and is counted. */
  removeFinishedBefore(at: number): Promise<RemovedRuns & { readonly keptOpen: number }>;
  removeProject(project: ProjectId): Promise<RemovedRuns>;
  /** Of one project or of all. */
  idsOf(project: ProjectId | undefined): Promise<readonly RunId[]>;
  tally(project: ProjectId): Promise<{ readonly total: number; readonly unfinished: number; readonly bytes: number }>;
};
