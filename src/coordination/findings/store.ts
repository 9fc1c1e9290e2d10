/** The tables of findings, as a port: reports, the finding they belong to, and investigations. */
import type {
  AgentId,
  AgentRef,
  Finding,
  FindingId,
  FindingStatus,
  Investigation,
  ProjectId,
  PublishedFinding,
  RunId,
  WorkItemId,
} from "../../contract/index.ts";

export type FindingReport = Omit<Finding, "by"> & {
  readonly root: FindingId;
  readonly project: ProjectId;
  readonly agent: AgentRef;
  readonly model: string | undefined;
  readonly publishedAt: number;
};
/** The state of a finding; kept with its root. */
export type FindingState = {
  readonly worst: Finding["severity"];
  readonly status: FindingStatus;
  readonly mark: PublishedFinding["mark"];
  readonly workItem: WorkItemId | undefined;
};
/** All reports of one finding, the root first. */
export type FindingRecord = {
  readonly id: FindingId;
  readonly project: ProjectId;
  readonly reports: readonly [FindingReport, ...FindingReport[]];
  readonly state: FindingState;
};
export type InvestigationRecord = Investigation & { readonly project: ProjectId };

export type FindingRepository = {
  insert(report: FindingReport, state: FindingState): Promise<void>;
  setState(root: FindingId, state: FindingState): Promise<void>;
  /** All reports of the other findings belong to `root` from now on. */
  join(root: FindingId, others: readonly FindingId[]): Promise<void>;
  /** By the id of any of its reports. */
  find(id: FindingId): Promise<FindingRecord | undefined>;
  /** Undecided or accepted findings with a report at one of these places (or, without places, with the same summary). */
  near(report: FindingReport, linesApart: number): Promise<readonly FindingId[]>;
  ofWorkItem(item: WorkItemId): Promise<FindingRecord | undefined>;
  list(query: {
    readonly project: ProjectId | undefined;
    readonly path: string | undefined;
    readonly severity: Finding["severity"] | undefined;
    readonly status: FindingStatus | undefined;
    readonly category: string | undefined;
    readonly thread: string | undefined;
    readonly run: RunId | undefined;
    readonly workItem: WorkItemId | undefined;
    readonly notOnlyBy: AgentId | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly FindingRecord[]>;
  /** Undecided or accepted findings that block, newest first. */
  blocking(project: ProjectId, limit: number): Promise<readonly FindingRecord[]>;
  /** Findings an agent has reported since a time, newest first. */
  reportedBy(agent: AgentId, since: number, limit: number): Promise<readonly FindingRecord[]>;
  /** Agents with a report in this thread or run. */
  reporters(of: {
    readonly project: ProjectId;
    readonly thread: string | undefined;
    readonly run: RunId | undefined;
  }): Promise<readonly AgentId[]>;
  setInvestigation(record: InvestigationRecord): Promise<void>;
  endInvestigation(agent: AgentId): Promise<void>;
  investigations(project: ProjectId): Promise<readonly InvestigationRecord[]>;
  /** Removes discarded and fixed findings last touched before a time, and what ended agents were looking into. */
  removeOld(before: number, most: number): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
  /** Work items and agents that findings name. */
  workItems(): Promise<readonly WorkItemId[]>;
  agents(): Promise<readonly AgentId[]>;
};
