/** The tables of graphs, including the graphs of runs: versions of the graph, the latest record of each node, outputs. */
import type {
  AgentId,
  Check,
  DagId,
  DagNodeTerms,
  DagPolicy,
  DagStatus,
  GraphId,
  PlanNode,
  ProjectId,
  RunNodeKind,
  SessionId,
} from "../../contract/index.ts";
import type { NodeRecord, NodeState } from "../dag/index.ts";

/** `waiting` is not stored: it follows from the nodes of a running graph. */
export type StoredStatus = Exclude<DagStatus, "waiting">;

export type GraphOptions = {
  /** The working tree that its commands run in. */
  readonly tree: string;
  readonly mode: "eager" | "layered";
  readonly policy: DagPolicy;
  readonly provider: string | undefined;
  readonly rehearse: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
};

/** A node of a graph that a person or an agent wrote: a command as a list of words, or a prompt. */
export type WrittenSpec = Omit<DagNodeTerms, "run"> & {
  readonly run?: readonly [string, ...string[]] | undefined;
  /** The agent that wrote it. Its command runs under the holds of other agents, as in the agent's own shell. */
  readonly by?: AgentId | undefined;
  readonly kind?: undefined;
};
/** A node of a run: plan, approval, engineer, check, judge or conclude. */
export type PlannedWork = Pick<PlanNode, "title" | "prompt">;
export type RunNodeSpec = {
  readonly kind: RunNodeKind;
  readonly title: string;
  readonly role: string;
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  /** 0 for the plan, then one more for each correction and each plan made with feedback. */
  readonly round: number;
  /** Of a plan made with feedback: the user approved it in advance. */
  readonly approved?: boolean;
  /** Of a plan made with feedback: the work of the plan that it replaces, where that plan was still waiting. */
  readonly replaces?: readonly PlannedWork[];
  /** Of a judgement: the round of its plan; 0 if absent. */
  readonly planRound?: number;
  /** Files that the plan names for it. */
  readonly files?: readonly string[];
  /** Only for checks. */
  readonly check?: Check["kind"];
};
export type NodeSpec = WrittenSpec | RunNodeSpec;
export type NodeKind = RunNodeKind | "command" | "prompt";

export type GraphChange = {
  /** Nodes to add, or to replace where the name exists. */
  readonly nodes: Readonly<Record<string, NodeSpec>>;
  readonly remove: readonly string[];
};

export type GraphRecord = {
  readonly id: GraphId;
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly name: string;
  readonly status: StoredStatus;
  readonly reason: string | undefined;
  readonly options: GraphOptions;
  readonly version: number;
  /** Number of nodes in the current version. */
  readonly nodes: number;
  /** The event cursor before its first event. */
  readonly since: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NodeRow = {
  readonly node: string;
  readonly record: NodeRecord;
  /** When its process started. Time in the queue does not count. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** The agent that did the last attempt, if any. */
  readonly agent: string | undefined;
};

export type GraphTally = { readonly done: number; readonly open: number; readonly blocked: number };

export type GraphRepository = {
  insert(dag: GraphRecord, graph: GraphChange): Promise<void>;
  find(id: GraphId): Promise<GraphRecord | undefined>;
  /** Only `sylk dag`, without the graphs of runs. */
  list(query: {
    readonly project: ProjectId | undefined;
    readonly session: SessionId | undefined;
    readonly status: DagStatus | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly GraphRecord[]>;
  withStatus(status: StoredStatus): Promise<readonly GraphRecord[]>;
  /** The newest unfinished graph of the session, or else the newest of all. */
  currentOf(session: SessionId): Promise<{ readonly dag: GraphRecord; readonly unfinished: number } | undefined>;
  setStatus(id: GraphId, status: StoredStatus, reason: string | undefined, at: number): Promise<void>;
  /** The changes by version. The first one is the initial graph. */
  changesOf(id: GraphId): Promise<readonly GraphChange[]>;
  /** Also deletes the records of nodes that the change removes or replaces. */
  addChange(
    id: GraphId,
    change: GraphChange,
    terms: { readonly version: number; readonly grownBy: number; readonly at: number },
  ): Promise<void>;
  saveNode(
    id: GraphId,
    row: {
      readonly node: string;
      readonly state: NodeState;
      readonly record: NodeRecord;
      readonly endedAt: number | undefined;
    },
  ): Promise<void>;
  nodesOf(id: GraphId): Promise<readonly NodeRow[]>;
  /** Sets the times of a node that was first recorded in an older table. */
  setTimes(id: GraphId, node: string, times: Omit<NodeRow, "node" | "record">): Promise<void>;
  /** Counts the nodes that have a record. */
  tallyOf(id: GraphId): Promise<GraphTally>;
  saveOutput(id: GraphId, node: string, output: string): Promise<void>;
  outputOf(id: GraphId, node: string): Promise<string | undefined>;
  /** Records the start of the work: the node's time counts from here. */
  begin(id: GraphId, node: string, at: number, agent?: string): Promise<void>;
  /** This and the following methods leave out the graphs of runs, which are removed with their run. */
  idsOf(project: ProjectId): Promise<readonly DagId[]>;
  removeProject(project: ProjectId): Promise<number>;
  unfinishedOf(project: ProjectId): Promise<number>;
  /** Removes graphs that ended before this time. */
  removeFinishedBefore(at: number): Promise<number>;
};
