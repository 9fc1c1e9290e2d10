/**
 * A person decides what waits.
 *
 *   plan, node         -> answered through their graph, which settles the row in the transaction of its node
 *   question, command  -> settled here; the conversation that waits hears of it
 *   evidence           -> settled here, then the conclusion of its run is judged again
 */
import { hash } from "node:crypto";
import {
  type Approval,
  type AuditDraft,
  type Caller,
  DomainError,
  type InputOf,
  invalidInput,
  type OutputOf,
  type ProjectId,
} from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { type ApprovalTx, settle } from "./ask-person.ts";

export type DecideTx = ApprovalTx & { readonly audit: AuditRepository };
type Decision = { readonly decision: "approve" | "reject"; readonly reason: string | undefined };
export type DecidePorts = {
  readonly store: Store<DecideTx>;
  readonly clock: Clock;
  readonly projectOf: (approval: Approval) => Promise<ProjectId>;
  /** Refuses a decision that would continue work of a session at rest. */
  readonly refuseAtRest: (approval: Approval) => Promise<void>;
  readonly answerNode: (approval: Approval, decision: Decision, caller: Caller) => Promise<void>;
  readonly judgeAgain: (approval: Approval) => Promise<void>;
};

export async function decideApproval(
  { id, decision, reason, answer }: InputOf<"approval.decide">,
  { caller, transact }: Call<DecideTx>,
  ports: DecidePorts,
): Promise<OutputOf<"approval.decide">> {
  const { reader } = ports.store;
  const waiting = refuseDecided(id, await reader.approvals.find(id));
  refuseUnfit(waiting, decision, answer);
  const continues = decision === "approve" && waiting.kind !== "command";
  if (continues) await ports.refuseAtRest(waiting);
  const project = await ports.projectOf(waiting);
  if (waiting.kind === "node" || waiting.kind === "plan") {
    await ports.answerNode(waiting, { decision: decision === "approve" ? "approve" : "reject", reason }, caller);
    const approval = (await reader.approvals.find(id))!;
    if (approval.kind === "plan") await transact(id, (tx) => tx.audit.append(auditOf(approval, caller, project)));
    return { approval };
  }
  const approval = await transact(id, async (tx) => {
    const current = refuseDecided(id, await tx.approvals.find(id));
    const settled = await settle(current, project, { status: statusAfter[decision], reason, answer }, tx, ports.clock);
    await tx.audit.append(auditOf(settled, caller, project));
    return settled;
  });
  if (approval.kind === "evidence" && approval.status === "approved") await ports.judgeAgain(approval);
  return { approval };
}

const statusAfter = { approve: "approved", reject: "rejected", answer: "answered" } as const;

function refuseDecided(id: string, approval: Approval | undefined): Approval {
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
    ? `${id} is a question: "${question}"; answer it with: sylk approve ${id} --answer "…", or leave it to the agent with --reject`
    : `${id} wants a yes or a no, not an answer: sylk approve ${id} [--reject]`;
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
