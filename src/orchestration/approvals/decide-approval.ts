/**
 * A person decides what waits.
 *
 *   plan, node         -> answered through their graph, which settles the row in the transaction of its node
 *   question, command  -> settled here; the conversation that waits hears of it
 *   evidence           -> settled here, then the conclusion of its run is judged again
 *   hold               -> released, or kept for a while longer
 *   install            -> carried out, or not
 *
 * A decision about a command holds for its run: it settles the same question of every Engineer.
 */
import { hash } from "node:crypto";
import {
  type Approval,
  type ApprovalId,
  type AuditDraft,
  type Caller,
  DomainError,
  type InboxItem,
  type InputOf,
  invalidInput,
  type OutputOf,
  type ProjectId,
  ReservationId,
} from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { type ApprovalTx, settle } from "./ask-person.ts";
import { type Asker, viewApproval } from "./inbox.ts";
import type { StoredApproval } from "./store.ts";

export type DecideTx = ApprovalTx & { readonly audit: AuditRepository };
type Decision = { readonly decision: "approve" | "reject"; readonly reason: string | undefined };
export type DecidePorts = {
  readonly store: Store<DecideTx>;
  readonly clock: Clock;
  readonly projectName: (id: ProjectId) => Promise<string>;
  /** Who asks, and about what. */
  readonly askerOf: (approval: Approval) => Promise<Asker>;
  /** Holds of a person that agents ask for. */
  readonly holds: {
    waiting(project: ProjectId | undefined): Promise<readonly InboxItem[]>;
    decide(id: ReservationId, decision: Decision["decision"], call: Call<DecideTx>): Promise<InboxItem>;
  };
  /** Installations that agents ask for. */
  readonly installs: {
    waiting(project: ProjectId | undefined): readonly InboxItem[];
    find(id: string): { readonly item: InboxItem; readonly project: ProjectId } | undefined;
    decide(id: string, decision: Decision["decision"], reason: string | undefined): Promise<InboxItem>;
  };
  /** Refuses a decision that would continue work of a session at rest. */
  readonly refuseAtRest: (approval: Approval) => Promise<void>;
  readonly answerNode: (approval: Approval, decision: Decision, caller: Caller) => Promise<void>;
  readonly judgeAgain: (approval: Approval) => Promise<void>;
};

export async function decideApproval(
  { id, decision, reason, answer }: InputOf<"approval.decide">,
  call: Call<DecideTx>,
  ports: DecidePorts,
): Promise<OutputOf<"approval.decide">> {
  const { caller, transact } = call;
  const { reader } = ports.store;
  const hold = ReservationId.safeParse(id);
  if (hold.success) return decideHold(hold.data, { decision, answer }, call, ports);
  if (ports.installs.find(id) !== undefined) return decideInstall({ id, decision, reason, answer }, call, ports);
  const found = await reader.approvals.find(id as ApprovalId);
  const waiting = refuseDecided(id, found);
  refuseUnfit(waiting, decision, answer);
  const continues = decision === "approve" && waiting.kind !== "command";
  if (continues) await ports.refuseAtRest(waiting);
  const { project } = waiting;
  if (waiting.kind === "node" || waiting.kind === "plan") {
    await ports.answerNode(waiting, { decision: decision === "approve" ? "approve" : "reject", reason }, caller);
    const approval = (await reader.approvals.find(waiting.id))!;
    if (approval.kind === "plan") await transact(id, (tx) => tx.audit.append(auditOf(approval, caller, project)));
    return { approval: await viewOf(approval, ports) };
  }
  const given = { status: statusAfter[decision], reason, answer };
  const approval = await transact(id, async (tx) => {
    const current = refuseDecided(id, await tx.approvals.find(waiting.id));
    const settled = await settle(current, project, given, tx, ports.clock);
    await tx.audit.append(auditOf(settled, caller, project));
    for (const other of current.kind === "command" ? await sameQuestions(current, tx) : [])
      await settle(other, project, given, tx, ports.clock);
    return { ...settled, project };
  });
  if (approval.kind === "evidence" && approval.status === "approved") await ports.judgeAgain(approval);
  return { approval: await viewOf(approval, ports) };
}

async function sameQuestions(
  { id, run, kind, question }: Approval,
  tx: ApprovalTx,
): Promise<readonly StoredApproval[]> {
  const waiting = await tx.approvals.list({ graph: run, project: undefined, waitingOnly: true });
  return waiting.filter((other) => other.id !== id && other.kind === kind && other.question === question);
}

async function decideHold(
  id: ReservationId,
  { decision, answer }: Pick<InputOf<"approval.decide">, "decision" | "answer">,
  call: Call<DecideTx>,
  { holds }: DecidePorts,
): Promise<OutputOf<"approval.decide">> {
  refuseAnswer(id, "a hold", decision, answer);
  return { approval: await holds.decide(id, decision === "approve" ? "approve" : "reject", call) };
}

/** Said before it is carried out: the audit holds what a person allowed, whatever comes of it. */
async function decideInstall(
  { id, decision, reason, answer }: InputOf<"approval.decide">,
  { caller, transact }: Call<DecideTx>,
  { installs }: DecidePorts,
): Promise<OutputOf<"approval.decide">> {
  refuseAnswer(id, "an installation", decision, answer);
  const { item, project } = installs.find(id)!;
  const asked = hash("sha256", JSON.stringify([item.question, item.details]), "hex");
  const action = decision === "approve" ? "approval.approved" : "approval.rejected";
  const act = { actor: actorOf(caller), action, subject: id, project, details: { kind: item.kind, asked } } as const;
  await transact(id, (tx) => tx.audit.append(act));
  return { approval: await installs.decide(id, decision === "approve" ? "approve" : "reject", reason) };
}

function refuseAnswer(id: string, what: string, decision: string, answer: string | undefined): void {
  if (decision === "answer" || answer !== undefined)
    throw invalidInput("decision", `${what} wants a yes or a no`, {
      sentence: `${id} wants a yes or a no, not an answer: sylk approve ${id}, or sylk reject ${id}`,
    });
}

export async function viewOf(
  approval: StoredApproval,
  { projectName, askerOf }: Pick<DecidePorts, "projectName" | "askerOf">,
): Promise<InboxItem> {
  return viewApproval(approval, await projectName(approval.project), await askerOf(approval));
}

const statusAfter = { approve: "approved", reject: "rejected", answer: "answered" } as const;

function refuseDecided(id: string, approval: StoredApproval | undefined): StoredApproval {
  if (approval === undefined)
    throw new DomainError("approval.not-found", `There is no approval ${id}; "sylk approvals" lists what waits`, {
      details: { id },
    });
  if (approval.status === "waiting") return approval;
  throw new DomainError("approval.decided", `${id} was ${approval.status} already`, { details: { approval } });
}

/** A question wants words; everything else wants a yes or a no. */
function refuseUnfit(
  { id, kind, question }: Approval,
  decision: keyof typeof statusAfter,
  answer: string | undefined,
): void {
  const isQuestion = kind === "question";
  const fits = decision === "reject" ? answer === undefined : isQuestion === (decision === "answer");
  if (fits && (decision === "answer") === (answer !== undefined)) return;
  const message = isQuestion
    ? `${id} is a question: "${question}"; answer it with: sylk answer ${id} "…", or leave it to the agent with: sylk reject ${id}`
    : `${id} wants a yes or a no, not an answer: sylk approve ${id}, or sylk reject ${id}`;
  throw invalidInput(isQuestion ? "answer" : "decision", message, { sentence: message });
}

/** The approval holds what was asked; its hash here proves that it was this and nothing else. */
export function auditOf(
  { id, run, kind, status, question, details }: Approval,
  caller: Caller,
  project: ProjectId,
): AuditDraft {
  const asked = hash("sha256", JSON.stringify([question, details]), "hex");
  return { actor: actorOf(caller), action: `approval.${status}`, subject: id, project, details: { kind, run, asked } };
}
