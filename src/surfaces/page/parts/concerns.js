/**
 * What each durable event concerns on this page. Every type of the contract is listed here, also those that concern nothing:
 * a browser only hears the event types it names.
 */

/** @typedef {"status" | "agents" | "reservations" | "approvals" | "runs" | "run"} Thing */

/** What an agent does also says that it is alive. */
const claims = /** @type {const} */ (["agents"]);

/** @type {Readonly<Record<string, readonly Thing[]>>} */
export const concerns = {
  "agent.registered": ["agents"],
  "agent.returned": ["agents", "reservations"],
  "agent.changed": ["agents"],
  "agent.offline": ["agents", "reservations"],
  "agent.processes-left": ["agents", "reservations"],
  "agent.processes-over": ["agents", "reservations"],
  "agent.ended": ["agents", "reservations"],
  "reservation.acquired": ["reservations", "agents"],
  "reservation.widened": ["reservations", "agents"],
  "reservation.asked": ["reservations"],
  "reservation.answered": ["reservations"],
  "reservation.forced": ["reservations", "agents"],
  "reservation.forecast": ["reservations"],
  "reservation.released": ["reservations", "agents"],
  "reservation.expired": ["reservations"],
  "work-item.created": claims,
  "work-item.claimed": claims,
  "work-item.released": claims,
  "work-item.claim-expired": [],
  "work-item.closed": claims,
  "work-item.updated": claims,
  "work-item.progressed": claims,
  "work-item.stuck": claims,
  "work-item.stall-asked": [],
  "work-item.handoff-asked": claims,
  "work-item.handoff-declined": claims,
  "work-item.handed-over": claims,
  "history.stored": [],
  "history.marked": [],
  "history.promoted": [],
  "history.compacted": [],
  "history.restored": [],
  "code.index-progress": [],
  "research.source-added": [],
  "research.source-removed": [],
  "research.answered": [],
  "code.index-updated": [],
  "commit.announced": [],
  "worktree.created": [],
  "worktree.removed": [],
  "index.opened": [],
  "index.closed": [],
  "index.rebuilt": [],
  "file.restored": [],
  "branch.merged": [],
  "branch.conflicted": claims,
  "mail.sent": claims,
  "mail.read": claims,
  "mail.acked": claims,
  "mail.mailbox-changed": claims,
  "finding.published": claims,
  "finding.marked": claims,
  "finding.promoted": claims,
  "finding.investigation-announced": claims,
  "health.incident-opened": ["status"],
  "health.incident-escalated": ["status"],
  "health.incident-resolved": ["status"],
  "session.created": [],
  "session.changed": [],
  "session.focused": [],
  "session.noted": [],
  "session.preference-promoted": [],
  "run.started": ["runs", "run"],
  "run.status-changed": ["runs", "run", "approvals"],
  "run.outcome-changed": ["runs", "run"],
  "run.model-retried": [],
  "run.planned": ["runs", "run"],
  "run.node-changed": ["runs", "run"],
  "run.checked": ["run"],
  "run.spent": ["runs", "run"],
  "run.budget-raised": ["runs", "run"],
  "run.skills-loaded": [],
  "run.message": [],
  "ask.answered": [],
  "ask.failed": [],
  "ask.classified": [],
  "dag.started": [],
  "dag.changed": [],
  "approval.requested": ["approvals", "run"],
  "approval.decided": ["approvals", "run"],
};

/**
 * The run an event is about, so that another run's events do not make the shown one be read again.
 *
 * @param {{ readonly data: Readonly<Record<string, unknown>> }} event
 * @returns {unknown}
 */
export function runOf({ data }) {
  const approval = /** @type {{ run?: unknown } | undefined} */ (data.approval);
  return data.run ?? approval?.run;
}
