/**
 * Which events make an answer stale.
 *
 *   operation -> prefixes of event types, and for an answer about one thing its id
 *
 * An operation that is not listed here is read once: its answer changes by no event.
 */
import type { LogEvent, OperationName } from "../daemon/contract.ts";

const agents = ["agent.", "reservation.", "work-item.", "mail.", "finding.", "commit.", "run.node-changed", "file."];
const approvals = ["approval.", "reservation.asked", "reservation.answered", "reservation.", "run.status-changed"];
const runs = [
  "run.started",
  "run.status-changed",
  "run.outcome-changed",
  "run.planned",
  "run.node-changed",
  "run.spent",
  "run.budget-raised",
];
const history = ["history."];

const concerns: Partial<Readonly<Record<OperationName, readonly string[]>>> = {
  "agent.list": agents,
  "agent.get": agents,
  "agent.handoff": agents,
  "reservation.list": ["reservation.", "agent.offline", "agent.ended", "agent.returned", "agent.processes"],
  "reservation.stats": ["reservation."],
  "event.list": ["work-item.", "reservation."],
  "approval.list": approvals,
  "run.list": runs,
  "run.get": ["run.", "approval.", "finding."],
  "run.diff": ["run.node-changed", "run.outcome-changed"],
  "dag.list": ["dag."],
  "dag.show": ["dag.", "approval."],
  "work-item.list": ["work-item."],
  "work-item.get": ["work-item."],
  "work-item.ready": ["work-item."],
  "mail.inbox": ["mail."],
  "mail.everywhere": ["mail."],
  "mail.search": ["mail."],
  "mail.get": ["mail."],
  "mail.overdue": ["mail."],
  "finding.list": ["finding."],
  "finding.get": ["finding."],
  "health.show": ["health."],
  "incident.list": ["health.incident"],
  "companion.list": ["agent.registered", "agent.ended"],
  "daemon.status": [
    "health.incident",
    "agent.registered",
    "agent.ended",
    "agent.offline",
    "agent.returned",
    "session.",
  ],
  "ledger.show": ["run.spent", "agent.changed", "agent.ended"],
  "session.list": ["session."],
  "session.get": ["session."],
  "session.stats": ["session.", "run.status-changed"],
  "project.list": [
    "agent.registered",
    "agent.ended",
    "run.started",
    "run.status-changed",
    "work-item.created",
    "work-item.closed",
  ],
  "worktree.list": ["worktree."],
  "file.history": ["reservation.", "file.", "commit."],
  "code.find": ["code.index-updated"],
  "code.search": ["code.index-updated"],
  "code.symbols": ["code.index-updated"],
  "code.usages": ["code.index-updated"],
  "code.outline": ["code.index-updated"],
  "history.list": history,
  "history.get": history,
  "history.similar": history,
  "history.sessions": history,
  "history.timeline": history,
  "history.workflows": [...history, "run.outcome-changed", "run.status-changed"],
  "history.savings": history,
  "history.brief": history,
  "research.sources": ["research.source"],
  "research.check": ["research.source"],
};

/** Answers with parts that no event tells: uncommitted files, guards, who stands in line. */
export const settles: ReadonlySet<OperationName> = new Set(["agent.list", "agent.get"]);

/** Answers about one run or graph: events about others do not concern them. */
const aboutOne: ReadonlySet<string> = new Set(["run.get", "run.diff", "dag.show"]);

export type Question = {
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Id of the project the question is limited to. */
  readonly projectId?: string | undefined;
};

export function isConcerned({ name, input, projectId }: Question, event: LogEvent): boolean {
  if (projectId !== undefined && event.project !== projectId) return false;
  if (!(concerns[name] ?? []).some((prefix) => event.type.startsWith(prefix))) return false;
  return !aboutOne.has(name) || graphOf(event) === input["id"];
}

/** The run or graph an event is about. */
function graphOf({ data, subject }: LogEvent): unknown {
  const approval = data["approval"] as { readonly run?: unknown } | undefined;
  const finding = data["finding"] as { readonly run?: unknown } | undefined;
  return data["run"] ?? data["dag"] ?? approval?.run ?? finding?.run ?? subject;
}
