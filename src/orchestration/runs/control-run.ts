/** What a person does to a run: pause, go on, stop; decide what it asks. */
import { hash } from "node:crypto";
import {
  DomainError,
  type Approval,
  type AuditActor,
  type AuditDraft,
  type Caller,
  type InputOf,
  type OutputOf,
  type ProjectId,
  type Run,
  type RunId,
  type RunStatus,
} from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { settle } from "../approvals/index.ts";
import { refuseAtRest } from "../sessions/index.ts";
import { changeStatus, type JournalTx } from "./journal.ts";
import { findRun, viewRun } from "./run-view.ts";
import { stopNodes } from "./stop-nodes.ts";
import type { RunPorts, RunRepositories } from "./start-run.ts";
import type { RunRecord } from "./store.ts";

export const underWay: readonly RunStatus[] = ["planning", "running"];
export const open: readonly RunStatus[] = [...underWay, "awaiting_approval", "paused", "blocked"];

export function interruptRun(id: RunId, call: Call<RunRepositories>, ports: RunPorts): Promise<{ run: Run }> {
  return stopAt(id, "paused", underWay, 'interrupted; go on with "sylk resume"', call, ports);
}

export function cancelRun(id: RunId, call: Call<RunRepositories>, ports: RunPorts): Promise<{ run: Run }> {
  return stopAt(id, "cancelled", open, "cancelled; what it wrote stays on its branch", call, ports);
}

/** The status first, then the processes: a worker that ends finds that nobody wants it to go on. */
async function stopAt(
  id: RunId,
  to: "paused" | "cancelled",
  from: readonly RunStatus[],
  reason: string,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<{ run: Run }> {
  const stopped = await transact(id, async (tx) => {
    const record = await findRun(id, caller, tx.runs);
    refuseUnless(record, from, to === "paused" ? "interrupted" : "cancelled");
    await recordStop(record, to, reason, actorOf(caller), tx, ports);
    return { run: await viewRun((await tx.runs.find(id))!, tx.runs) };
  });
  await ports.workers.stop(id);
  return stopped;
}

/** What the store says of a run that is stopped; its worker is to be stopped after the commit. */
export async function recordStop(
  record: RunRecord,
  to: "paused" | "cancelled",
  reason: string,
  actor: AuditActor,
  tx: RunRepositories,
  ports: Pick<RunPorts, "clock">,
): Promise<void> {
  await changeStatus(record, to, reason, tx, ports);
  await stopNodes(record, to, tx, ports);
  if (to === "cancelled") await rejectWaiting(record, actor, tx, ports);
}

/** Nobody is to be asked about a run that is over. */
async function rejectWaiting(
  { id, project }: RunRecord,
  actor: AuditActor,
  tx: RunRepositories,
  { clock }: Pick<RunPorts, "clock">,
): Promise<void> {
  for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true })) {
    const settlement = { status: "rejected", reason: "the run was cancelled" } as const;
    await tx.audit.append(auditOf(await settle(waiting, project, settlement, tx, clock), actor, project));
  }
}

/** What was asked stands in the approval; its hash here proves that it was this and nothing else. */
function auditOf(
  { id, run, kind, status, question, details }: Approval,
  actor: AuditActor,
  project: ProjectId,
): AuditDraft {
  const asked = hash("sha256", JSON.stringify([question, details]), "hex");
  return { actor, action: `approval.${status}`, subject: id, project, details: { kind, run, asked } };
}

export async function resumeRun(
  id: RunId,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<{ run: Run }> {
  return transact(id, async (tx) => {
    const record = await findRun(id, caller, tx.runs);
    refuseUnless(record, ["paused", "blocked"], "resumed");
    if (record.outcome === "discarded")
      throw new DomainError("run.not-possible", `${id} was discarded; start a new run`, {
        details: { status: record.status, outcome: record.outcome },
      });
    refuseAtRest((await tx.sessions.find(record.session))!);
    await recordGoOn(record, tx, ports);
    return { run: await viewRun((await tx.runs.find(id))!, tx.runs) };
  });
}

/** Its worker starts with the commit. */
export async function recordGoOn(
  record: RunRecord,
  tx: RunRepositories & Transaction,
  ports: Pick<RunPorts, "clock" | "workers">,
): Promise<void> {
  await changeStatus(record, (await isApproved(record, tx)) ? "running" : "planning", undefined, tx, ports);
  tx.afterCommit(() => ports.workers.launch(record.id));
}

/** A run may have been cut off between its plan and the question about it. */
async function isApproved({ id, plan, options }: RunRecord, tx: JournalTx): Promise<boolean> {
  if (plan === undefined || options.approve) return plan !== undefined;
  const approvals = await tx.approvals.list({ graph: id, project: undefined, waitingOnly: false });
  return approvals.some(({ kind, status }) => kind === "plan" && status === "approved");
}

export async function decideApproval(
  { id, decision, reason, answer }: InputOf<"approval.decide">,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<OutputOf<"approval.decide">> {
  const known = await ports.store.reader.approvals.find(id);
  if (known?.kind === "node" && known.status === "waiting") {
    refuseUnfit(known, decision, answer);
    await ports.answerNode(known, { decision: decision === "approve" ? "approve" : "reject", reason }, caller);
    return { approval: (await ports.store.reader.approvals.find(id))! };
  }
  return transact(id, async (tx) => {
    const waiting = await tx.approvals.find(id);
    if (waiting === undefined)
      throw new DomainError("approval.not-found", `There is no approval ${id}; "sylk approvals" lists what waits`, {
        details: { id },
      });
    if (waiting.status !== "waiting")
      throw new DomainError("approval.decided", `${id} was ${waiting.status} already`, {
        details: { approval: waiting },
      });
    refuseUnfit(waiting, decision, answer);
    const run = (await tx.runs.find(waiting.run as RunId))!;
    const settlement = { status: statusAfter[decision], reason, answer };
    const approval = await settle(waiting, run.project, settlement, tx, ports.clock);
    await tx.audit.append(auditOf(approval, actorOf(caller), run.project));
    const next = afterDecision(approval, run);
    if (next !== undefined) {
      if (next.status === "running") refuseAtRest((await tx.sessions.find(run.session))!);
      await changeStatus(run, next.status, next.reason, tx, ports);
      if (next.status === "cancelled") await stopNodes(run, next.status, tx, ports);
      if (next.status === "running") tx.afterCommit(() => ports.workers.launch(run.id));
    }
    return { approval };
  });
}

const statusAfter = { approve: "approved", reject: "rejected", answer: "answered" } as const;

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
  throw new DomainError("input.invalid", message, {
    details: { problems: [{ path: isQuestion ? "answer" : "decision", message }] },
  });
}

/** A command's approval and a question's answer are waited for by their node; the run itself goes on. */
function afterDecision(
  { kind, status, reason }: Approval,
  run: RunRecord,
): { readonly status: RunStatus; readonly reason: string | undefined } | undefined {
  if (kind === "plan" && run.status === "awaiting_approval") {
    return status === "approved"
      ? { status: "running", reason: undefined }
      : { status: "cancelled", reason: `the plan was rejected${reason === undefined ? "" : `: ${reason}`}` };
  }
  if (kind === "evidence" && run.status === "unverified" && run.outcome === "open" && status === "approved")
    return { status: "running", reason: "judging again with the approved evidence" };
  return undefined;
}

export async function listApprovals(
  { run, limit }: InputOf<"approval.list">,
  caller: Caller,
  { store }: RunPorts,
): Promise<OutputOf<"approval.list">> {
  const waiting = await store.reader.approvals.list({
    graph: run,
    project: caller.project?.id,
    waitingOnly: run === undefined,
  });
  return { items: waiting.slice(0, limit) };
}

export function refuseUnless({ id, status }: RunRecord, allowed: readonly RunStatus[], what: string): void {
  if (allowed.includes(status)) return;
  throw new DomainError(
    "run.not-possible",
    `${id} is ${status} and cannot be ${what}; that needs ${allowed.join(" or ")}`,
    { details: { status, allowed } },
  );
}
