/** The door of the contract: namespaces per noun, plus what every noun uses. */
export * as agent from "./agent.ts";
export * as branch from "./branch.ts";
export * as sessionIndex from "./session-index.ts";
export * as sessionValues from "./session-values.ts";
export * as sessionMessages from "./session-messages.ts";
export * as worktree from "./worktree.ts";
export * as code from "./code.ts";
export * as position from "./position.ts";
export * as commit from "./commit.ts";
export * as dag from "./dag.ts";
export * as daemon from "./daemon.ts";
export * as dashboard from "./dashboard.ts";
export * as event from "./event.ts";
export * as reservation from "./reservation.ts";
export * as approval from "./approval.ts";
export * as file from "./file.ts";
export * as finding from "./finding.ts";
export * as ask from "./ask.ts";
export * as audit from "./audit.ts";
export * as health from "./health.ts";
export * as companion from "./companion.ts";
export * as ledger from "./ledger.ts";
export * as findId from "./find-id.ts";
export * as history from "./history.ts";
export * as historyUpkeep from "./history-upkeep.ts";
export * as mail from "./mail.ts";
export * as provider from "./provider.ts";
export * as research from "./research.ts";
export * as run from "./run.ts";
export * as skill from "./skill.ts";
export * as tool from "./tool.ts";
export * as session from "./session.ts";
export * as handoff from "./handoff.ts";
export * as workItem from "./work-item.ts";
export { ClientName } from "./agent.ts";
export type {
  Activity,
  Agent,
  AgentRef,
  AgentStatus,
  AgentWait,
  Holder,
  Homecoming,
  OfflineReason,
  Pending,
  PresentAgent,
  Project,
} from "./agent.ts";
export type {
  AgentCaller,
  Authenticate,
  Caller,
  ClientSession,
  Credentials,
  NeedsAgent,
  UserCaller,
} from "./caller.ts";
export type {
  CodeAbout,
  CodeConfidence,
  CodeFile,
  CodeImport,
  CodeIndexState,
  CodeMatch,
  CodePlace,
  CodeProvider,
  CodeSymbol,
  CodeUsage,
} from "./code.ts";
export type { Dag, DagNode, DagNodeTerms, DagPolicy, DagStatus } from "./dag.ts";
export type { DaemonStatus, Examination } from "./daemon.ts";
export type { Actor, EventDefinition, EventDraft, Operation } from "./define.ts";
export {
  DomainError,
  errorFamilies,
  errorTable,
  fromErrorBody,
  invalidInput,
  isErrorCode,
  messageOf,
  toErrorBody,
} from "./errors.ts";
export type { ErrorBody, ErrorCode, ErrorFamily } from "./errors.ts";
export { ErrorBodySchema } from "./error-body.ts";
export type { EventFeed, LogEvent } from "./event.ts";
export type { Leftovers } from "./guard.ts";
export type {
  ClientAdapterV1,
  ClientPart,
  ClientTask,
  CallSessionField,
  SessionVariable,
  HookEntry,
  EndedCall,
  HookEvent,
  HookHeaders,
  HookSession,
  HookVerdict,
  InstallableClientV1,
  InstructionsFile,
  InstallPlaces,
  InstallScope,
} from "./hook.ts";
export {
  AgentId,
  ApprovalId,
  DagId,
  GraphId,
  EventId,
  EntryId,
  FileVersionId,
  FindingId,
  IncidentId,
  MessageId,
  NodeId,
  PlanId,
  ProjectId,
  ReservationId,
  RunId,
  SessionId,
  SourceId,
  WorkItemId,
  WorkItemKey,
} from "./ids.ts";
export type { IdPrefix, IdsByPrefix } from "./ids.ts";
export { allOperations, eventDefinitions, isOperationName, operations } from "./operations.ts";
export type { Dispatch, Handlers, InputOf, OperationName, Operations, OutputOf, RawInputOf } from "./operations.ts";
export type { Forecast, ReleaseRequest, Reservation, ReservationMode, ReservationScope } from "./reservation.ts";
export type { Notice } from "./handoff.ts";
export type { HandoffRecord, Progress, WorkItem, WorkItemStatus } from "./work-item.ts";
export { parseInput } from "./parse-input.ts";
export type { Approval, InboxItem } from "./approval.ts";
export type { AuditActor, AuditDraft, AuditEntry, ChainReport } from "./audit.ts";
export type { FileVersion, UndoItem } from "./file.ts";
export type { Finding, FindingStatus, Investigation, PublishedFinding } from "./finding.ts";
export type { ContactPolicy, Correspondent, Importance, Mail, MailChannel, MailContent, MailKind } from "./mail.ts";
export { mayAnswer, maySend, Message, messagePriorities, messageTerms, messageTypes, RoleName } from "./message.ts";
export type { AnswerType, MessageOf, MessageType, PayloadOf } from "./message.ts";
export type { Belongings, Handoff, LeftProcesses } from "./agent-handoff.ts";
export type { Companion } from "./companion.ts";
export type { LedgerBy, LedgerReport, LedgerTotal } from "./ledger.ts";
export type { Cause, Component, ComponentKind, Incident, MeasurementState, Outcome } from "./health.ts";
export { mostFound, namedKinds } from "./find-id.ts";
export type { FoundId, NamedKind } from "./find-id.ts";
export type { ArchiveSession, FoundEntry, HistoryEntry, SearchAbout } from "./history.ts";
export type {
  Citation,
  Claim,
  ClaimKind,
  CodeExample,
  ResearchAnswer,
  ResearchPaper,
  Source,
  SourceKind,
} from "./research.ts";
export type { KnownWorkflow, Savings, Warning } from "./history-reports.ts";
export type { Provider } from "./provider.ts";
export type {
  Check,
  CheckFailure,
  NodeState,
  Plan,
  PlanNode,
  Run,
  RunCost,
  RunNode,
  RunNodeKind,
  RunStatus,
} from "./run.ts";
export type { PoolFigures, Session, SessionPhase, SessionState, Workflow } from "./session.ts";
export type { ProjectSummary } from "./project.ts";
export { commitModes, dampingRules, Rhythm } from "./simulation.ts";
export type {
  CommitMode,
  Comparison,
  DampingRule,
  Measurement,
  SimulationReport,
  SimulationTerms,
  Tipping,
} from "./simulation.ts";
export type { SessionIndex } from "./session-index.ts";
export type { SessionMessageFact } from "./session-messages.ts";
export type { Preference } from "./session-values.ts";
export type { Worktree } from "./worktree.ts";
export { type LoadedFact, type SkillBudget, SkillRole } from "./skill.ts";
export type {
  DiscoveredTool,
  Installation,
  ToolAnswer,
  ToolChoices,
  ToolOption,
  ToolReport,
  ToolScan,
  ToolScanRequest,
} from "./tool.ts";
export { forUser } from "./page.ts";
export type { CodeDiagnosis, CodeSpot, LanguageServer } from "./position.ts";
export { dashboardPages } from "./dashboard-pages.ts";
