/** What DAG runs keep: the run, its graph by versions, the last record of each node, outputs. */
import type { DagId, DagNodeTerms, DagPolicy, DagStatus, ProjectId, SessionId } from "../../contract/index.ts";
import type { NodeRecord, NodeState } from "../dag/index.ts";

/** `waiting` is read from the nodes; the run itself is then running. */
export type StoredStatus = Exclude<DagStatus, "waiting">;

export type DagOptions = {
  /** The tree its commands run in. */
  readonly tree: string;
  readonly mode: "eager" | "layered";
  readonly policy: DagPolicy;
  readonly provider: string | undefined;
  readonly rehearse: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
};

/** A node as it was accepted: a command as its words, or a prompt. */
export type NodeSpec = Omit<DagNodeTerms, "run"> & { readonly run?: readonly [string, ...string[]] | undefined };

export type GraphChange = {
  /** Added, or replaced where the name is known. */
  readonly nodes: Readonly<Record<string, NodeSpec>>;
  readonly remove: readonly string[];
};

export type DagRecord = {
  readonly id: DagId;
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly name: string;
  readonly status: StoredStatus;
  readonly reason: string | undefined;
  readonly options: DagOptions;
  readonly version: number;
  /** How many nodes the graph has now. */
  readonly nodes: number;
  /** The cursor before its first event. */
  readonly since: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NodeRow = {
  readonly node: string;
  readonly record: NodeRecord;
  /** When its process began: time in a queue is not among it. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
};

export type DagTally = { readonly done: number; readonly open: number; readonly blocked: number };

export type DagRepository = {
  insert(dag: DagRecord, graph: GraphChange): Promise<void>;
  find(id: DagId): Promise<DagRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly session: SessionId | undefined;
    readonly status: DagStatus | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly DagRecord[]>;
  withStatus(status: StoredStatus): Promise<readonly DagRecord[]>;
  /** Of what is unfinished in the session the newest, else the newest of all. */
  currentOf(session: SessionId): Promise<{ readonly dag: DagRecord; readonly unfinished: number } | undefined>;
  setStatus(id: DagId, status: StoredStatus, reason: string | undefined, at: number): Promise<void>;
  /** The graph's changes by version, the first one being the graph itself. */
  changesOf(id: DagId): Promise<readonly GraphChange[]>;
  /** What was recorded of nodes that it removes or replaces is gone with it. */
  addChange(
    id: DagId,
    change: GraphChange,
    terms: { readonly version: number; readonly grownBy: number; readonly at: number },
  ): Promise<void>;
  saveNode(
    id: DagId,
    row: {
      readonly node: string;
      readonly state: NodeState;
      readonly record: NodeRecord;
      readonly endedAt: number | undefined;
    },
  ): Promise<void>;
  nodesOf(id: DagId): Promise<readonly NodeRow[]>;
  /** Of the nodes that were ever touched. */
  tallyOf(id: DagId): Promise<DagTally>;
  saveOutput(id: DagId, node: string, output: string): Promise<void>;
  outputOf(id: DagId, node: string): Promise<string | undefined>;
  /** Its process begins: the node's time runs from here. */
  begin(id: DagId, node: string, at: number): Promise<void>;
  idsOf(project: ProjectId): Promise<readonly DagId[]>;
  removeProject(project: ProjectId): Promise<number>;
  unfinishedOf(project: ProjectId): Promise<number>;
  /** Ended and unchanged since. */
  removeFinishedBefore(at: number): Promise<number>;
};
