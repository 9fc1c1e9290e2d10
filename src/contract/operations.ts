/**
 * The registry: every operation and every durable event, once. All surfaces, the client and the reference are made from it;
 * `Handlers` is a mapped type over it, so an operation without a handler does not compile.
 */
import * as agent from "./agent.ts";
import * as agentHandoff from "./agent-handoff.ts";
import * as approval from "./approval.ts";
import * as ask from "./ask.ts";
import * as audit from "./audit.ts";
import type { AgentCaller, Caller, UserCaller } from "./caller.ts";
import * as config from "./config.ts";
import * as branch from "./branch.ts";
import * as code from "./code.ts";
import * as commit from "./commit.ts";
import * as dag from "./dag.ts";
import * as daemon from "./daemon.ts";
import * as dashboard from "./dashboard.ts";
import type { EventDefinition, Input, Operation, Output, RawInput } from "./define.ts";
import * as event from "./event.ts";
import * as file from "./file.ts";
import * as findId from "./find-id.ts";
import * as finding from "./finding.ts";
import * as guard from "./guard.ts";
import * as health from "./health.ts";
import * as history from "./history.ts";
import * as historyReports from "./history-reports.ts";
import * as historyUpkeep from "./history-upkeep.ts";
import * as companion from "./companion.ts";
import * as ledger from "./ledger.ts";
import * as mail from "./mail.ts";
import * as position from "./position.ts";
import * as project from "./project.ts";
import * as provider from "./provider.ts";
import * as research from "./research.ts";
import * as reservation from "./reservation.ts";
import * as run from "./run.ts";
import * as skill from "./skill.ts";
import * as session from "./session.ts";
import * as handoff from "./handoff.ts";
import * as store from "./store.ts";
import * as tool from "./tool.ts";
import * as sessionIndex from "./session-index.ts";
import * as sessionMessages from "./session-messages.ts";
import * as sessionValues from "./session-values.ts";
import * as worktree from "./worktree.ts";
import * as workItem from "./work-item.ts";
import * as exchange from "./work-item-exchange.ts";

export const operations = {
  "agent.register": agent.register,
  "agent.list": agent.list,
  "agent.get": agent.get,
  "agent.heartbeat": agent.heartbeat,
  "agent.end": agent.end,
  "agent.handoff": agentHandoff.get,
  "reservation.acquire": reservation.acquire,
  "reservation.list": reservation.list,
  "reservation.renew": reservation.renew,
  "reservation.release": reservation.release,
  "reservation.check": reservation.check,
  "reservation.wait": reservation.wait,
  "reservation.ask": reservation.ask,
  "reservation.answer": reservation.answer,
  "reservation.force": reservation.force,
  "reservation.stats": reservation.stats,
  "commit.create": commit.create,
  "commit.announce": commit.announce,
  "commit.catch-up": commit.catchUp,
  "branch.merge": branch.merge,
  "branch.sync": branch.sync,
  "worktree.create": worktree.create,
  "worktree.list": worktree.list,
  "worktree.remove": worktree.remove,
  "index.open": sessionIndex.open,
  "index.close": sessionIndex.close,
  "guard.start": guard.start,
  "guard.write": guard.write,
  "guard.used": guard.used,
  "guard.confine": guard.confine,
  "guard.commit": guard.commit,
  "work-item.create": workItem.create,
  "work-item.list": workItem.list,
  "work-item.ready": workItem.ready,
  "work-item.get": workItem.get,
  "work-item.claim": workItem.claim,
  "work-item.unclaim": workItem.unclaim,
  "work-item.release": workItem.release,
  "work-item.close": workItem.close,
  "work-item.update": workItem.update,
  "work-item.progress": handoff.progress,
  "work-item.stuck": handoff.stuck,
  "work-item.handoff": handoff.handoff,
  "work-item.notices": handoff.notices,
  "work-item.import": exchange.importLines,
  "work-item.export": exchange.exportLines,
  "mail.send": mail.send,
  "mail.inbox": mail.inbox,
  "mail.everywhere": mail.everywhere,
  "mail.search": mail.search,
  "mail.get": mail.get,
  "mail.ack": mail.ack,
  "mail.overdue": mail.overdue,
  "mail.subscribe": mail.subscribe,
  "mail.policy": mail.policy,
  "file.history": file.history,
  "file.diff": file.diff,
  "file.restore": file.restore,
  "file.undo": file.undo,
  "finding.add": finding.add,
  "finding.list": finding.list,
  "finding.get": finding.get,
  "finding.mark": finding.mark,
  "finding.investigate": finding.investigate,
  "finding.promote": finding.promote,
  "health.report": health.report,
  "health.show": health.show,
  "health.greeting": health.greeting,
  "incident.list": health.list,
  "incident.resolve": health.resolve,
  "companion.list": companion.list,
  "ledger.show": ledger.show,
  "session.create": session.create,
  "session.list": session.list,
  "session.stats": session.stats,
  "session.get": session.get,
  "session.switch": session.switchTo,
  "session.pause": session.pause,
  "session.resume": session.resume,
  "session.suspend": session.suspend,
  "session.close": session.close,
  "session.set": sessionValues.set,
  "session.unset": sessionValues.unset,
  "session.promote": sessionValues.promote,
  "session.note": sessionValues.note,
  "session.messages": sessionMessages.messages,
  "run.start": run.start,
  "run.list": run.list,
  "run.get": run.get,
  "run.interrupt": run.interrupt,
  "run.pause": run.pause,
  "run.resume": run.resume,
  "run.cancel": run.cancel,
  "run.retry": run.retry,
  "run.skip": run.skip,
  "run.answer": run.answer,
  "run.adjust": run.adjust,
  "run.budget": run.budget,
  "run.diff": run.diff,
  "run.merge": run.merge,
  "run.feedback": run.feedback,
  "run.discard": run.discard,
  "run.clear": run.clear,
  "dag.run": dag.run,
  "dag.check": dag.check,
  "dag.list": dag.list,
  "dag.show": dag.show,
  "dag.cancel": dag.cancel,
  "dag.pause": dag.pause,
  "dag.resume": dag.resume,
  "dag.retry": dag.retry,
  "dag.skip": dag.skip,
  "dag.answer": dag.answer,
  "dag.adjust": dag.adjust,
  "approval.list": approval.list,
  "approval.decide": approval.decide,
  "history.store": history.store,
  "history.list": history.list,
  "history.get": history.get,
  "history.mark": history.mark,
  "history.promote": history.promote,
  "history.sessions": historyReports.sessions,
  "history.timeline": historyReports.timeline,
  "history.workflows": historyReports.workflows,
  "history.similar": historyReports.similar,
  "history.savings": historyReports.savings,
  "history.brief": historyReports.brief,
  "history.compact": historyUpkeep.compact,
  "history.snapshot": historyUpkeep.snapshot,
  "history.restore": historyUpkeep.restore,
  "history.use": historyUpkeep.use,
  "ask.send": ask.send,
  "ask.routes": ask.routes,
  "ask.metrics": ask.metrics,
  "skill.list": skill.list,
  "skill.show": skill.show,
  "skill.check": skill.check,
  "skill.call": skill.call,
  "skill.loaded": skill.loaded,
  "skill.load": skill.load,
  "skill.unload": skill.unload,
  "tool.discover": tool.discover,
  "tool.install": tool.install,
  "tool.uninstall": tool.uninstall,
  "config.trust": config.trust,
  "config.distrust": config.distrust,
  "provider.add": provider.add,
  "provider.list": provider.list,
  "provider.test": provider.test,
  "provider.remove": provider.remove,
  "code.find": code.find,
  "code.search": code.search,
  "code.symbols": code.symbols,
  "code.usages": code.usages,
  "code.dependents": code.dependents,
  "code.outline": code.outline,
  "code.files": code.files,
  "code.map": code.map,
  "code.drift": code.drift,
  "position.hover": position.hover,
  "position.definition": position.definition,
  "position.references": position.references,
  "position.diagnostics": position.diagnostics,
  "language-server.list": position.listServers,
  "scip.import": position.importScip,
  "scip.list": position.listScip,
  "research.add": research.add,
  "research.sources": research.sources,
  "research.remove": research.remove,
  "research.ask": research.ask,
  "research.check": research.check,
  "research.examples": research.examples,
  "research.paper": research.paper,
  "research.compare": research.compare,
  "id.find": findId.find,
  "audit.list": audit.list,
  "audit.verify": audit.verify,
  "project.list": project.list,
  "project.forget": project.forget,
  "store.backup": store.backup,
  "store.export": store.exportRecords,
  "store.purge": store.purge,
  "event.list": event.list,
  "daemon.status": daemon.status,
  "daemon.examine": daemon.examine,
  "daemon.stop": daemon.stop,
  "dashboard.link": dashboard.link,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Input<Operations[Name]>;
export type RawInputOf<Name extends OperationName> = RawInput<Operations[Name]>;
export type OutputOf<Name extends OperationName> = Output<Operations[Name]>;

/** The caller that an operation's `actor` lets in. */
export type CallerOf<Name extends OperationName> = {
  readonly agent: AgentCaller;
  readonly user: UserCaller;
  readonly anyone: Caller;
}[Operations[Name]["actor"]];

/**
 * One function per operation. A call carries the caller that the operation's actor lets in, and `Context`: what the runtime
 * gives to every call.
 */
export type Handlers<Context> = {
  readonly [Name in OperationName]: (
    input: InputOf<Name>,
    call: Context & { readonly caller: CallerOf<Name> },
  ) => Promise<OutputOf<Name>>;
};

/** The one function surfaces know. */
export type Dispatch = <Name extends OperationName>(
  name: Name,
  input: unknown,
  caller: Caller,
  options?: {
    readonly idempotencyKey?: string | undefined;
    /** Aborted when the caller has gone: whatever only waits for it may stop. */
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<OutputOf<Name>>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The registry seen as plain rows, for surfaces that treat every operation alike. */
export function allOperations(): readonly (Operation & { readonly name: OperationName })[] {
  return Object.values(operations);
}

export const eventDefinitions: readonly EventDefinition[] = [
  agent.AgentRegistered,
  agent.AgentReturned,
  agent.AgentChanged,
  agent.AgentOffline,
  agent.AgentProcessesLeft,
  agent.AgentProcessesOver,
  agent.AgentEnded,
  reservation.ReservationAcquired,
  reservation.ReservationWidened,
  reservation.ReleaseAsked,
  reservation.ReleaseAnswered,
  reservation.ReservationForced,
  reservation.ReservationForecast,
  reservation.ReservationReleased,
  reservation.ReservationExpired,
  commit.CommitAnnounced,
  branch.BranchMerged,
  branch.BranchConflicted,
  worktree.WorktreeCreated,
  worktree.WorktreeRemoved,
  sessionIndex.SessionIndexOpened,
  sessionIndex.SessionIndexClosed,
  sessionIndex.SessionIndexRebuilt,
  workItem.WorkItemCreated,
  workItem.WorkItemClaimed,
  workItem.WorkItemReleased,
  workItem.WorkItemClaimExpired,
  workItem.WorkItemClosed,
  workItem.WorkItemUpdated,
  handoff.WorkItemProgressed,
  handoff.WorkItemStuck,
  handoff.WorkItemStallAsked,
  handoff.WorkItemHandoffAsked,
  handoff.WorkItemHandoffDeclined,
  handoff.WorkItemHandedOver,
  mail.MailSent,
  mail.MailRead,
  mail.MailAcked,
  mail.MailboxChanged,
  file.FileRestored,
  code.CodeIndexProgress,
  code.CodeIndexUpdated,
  history.HistoryStored,
  history.HistoryMarked,
  history.HistoryPromoted,
  research.SourceAdded,
  research.SourceRemoved,
  research.ResearchAnswered,
  historyUpkeep.HistoryCompacted,
  historyUpkeep.HistoryRestored,
  finding.FindingPublished,
  finding.FindingMarked,
  finding.FindingPromoted,
  finding.InvestigationAnnounced,
  health.IncidentOpened,
  health.IncidentEscalated,
  health.IncidentResolved,
  session.SessionCreated,
  session.SessionChanged,
  session.SessionFocused,
  sessionValues.SessionNoted,
  sessionValues.SessionPreferencePromoted,
  run.RunStarted,
  run.RunStatusChanged,
  run.RunOutcomeChanged,
  run.RunPlanned,
  run.RunNodeChanged,
  run.RunChecked,
  run.RunSpent,
  run.RunBudgetRaised,
  run.RunModelRetried,
  run.RunSkillsLoaded,
  run.RunMessage,
  ask.AskAnswered,
  ask.AskFailed,
  ask.AskClassified,
  dag.DagStarted,
  dag.DagChanged,
  approval.ApprovalRequested,
  approval.ApprovalDecided,
];
