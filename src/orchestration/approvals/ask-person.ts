/**
 * What waits for a person gets a row and an event when it begins to wait, and again when it is decided.
 *
 *   askPerson -> waiting -> settle: approved | rejected | answered | expired
 */
import { type Approval, approval as contract, type GraphId, type ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { ApprovalRepository } from "./store.ts";

export type ApprovalTx = { readonly approvals: ApprovalRepository; readonly events: EventRepository };
export type Question = Pick<Approval, "kind" | "question" | "node" | "deadlineAt" | "defaultAnswer"> & {
  readonly details?: readonly string[];
};
type About = { readonly id: GraphId; readonly project: ProjectId };

export async function askPerson(
  { id: run, project }: About,
  { details = [], ...question }: Question,
  tx: ApprovalTx,
  { ids, now }: { readonly ids: IdSource; readonly now: number },
): Promise<Approval> {
  const known = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== undefined));
  const approval: Approval = {
    id: ids.next("apr"),
    run,
    ...(known as Omit<Question, "details">),
    details: [...details],
    status: "waiting",
    createdAt: now,
  };
  await tx.approvals.insert(project, approval);
  await tx.events.append(project, contract.ApprovalRequested.of(approval.id, { approval }));
  return approval;
}

export type Settlement = Pick<Approval, "status" | "reason" | "answer">;

export async function settle(
  waiting: Approval & { readonly project?: ProjectId },
  project: ProjectId,
  { status, reason, answer }: Settlement,
  tx: ApprovalTx,
  { now }: Pick<Clock, "now">,
): Promise<Approval> {
  const { project: _project, ...asked } = waiting;
  const approval: Approval = {
    ...asked,
    status,
    ...defined({ reason, answer }),
    decidedAt: now(),
  };
  await tx.approvals.update(approval);
  await tx.events.append(project, contract.ApprovalDecided.of(approval.id, { approval }));
  return approval;
}
