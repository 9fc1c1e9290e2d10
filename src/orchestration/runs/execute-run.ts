/**
 * One run from where it stands to its end, inside a worker. Everything it does next follows from what is recorded, so a
 * new worker goes on where the last one was cut off.
 *
 *   workspace -> plan (and wait for approval) -> the Architect sees it through -> commit -> evidence gate -> archive
 */
import { DomainError, type Check, type PayloadOf, type Plan, type RunStatus } from "../../contract/index.ts";
import { routeInput, Unanswered } from "../guide/index.ts";
import { ModelFailure } from "../models/index.ts";
import { PlanRefused } from "../planning/index.ts";
import { judgeEvidence } from "../quality/index.ts";
import { BudgetExhausted, type RunContext } from "./run-context.ts";

const minuteMs = 60_000;
const planDeadlineMs = 15 * minuteMs;
/** A person may be away for days before a question is answered. */
export const runDeadlineMs = 14 * 24 * 60 * minuteMs;

type Report = PayloadOf<"WORKFLOW_COMPLETE">;

export async function executeRun(context: RunContext, signal: AbortSignal): Promise<void> {
  const { work } = context;
  try {
    await context.workspaces.ensure(context.workspace);
    const plan = work.run.plan ?? (await makePlan(context, signal));
    if (work.run.status === "planning" && !(await approved(plan, context))) return;
    const report = await seeThrough(plan, context, signal);
    await conclude(plan, report, context, signal);
  } catch (error) {
    if (signal.aborted) return; // it was stopped: its status says so already
    await end(work.run.plan, "failed", reasonOf(error), work.checks, context, signal);
    if (!isExpected(error)) throw error;
  }
}

async function makePlan({ work, guide, record }: RunContext, signal: AbortSignal): Promise<Plan> {
  const { to, text, by } = routeInput(work.run.request);
  const answer = await guide.ask(
    "user",
    to,
    "USER_INPUT",
    { text, routedBy: by },
    { deadlineMs: planDeadlineMs, signal },
  );
  if (answer.type !== "PLAN_RESPONSE") throw new PlanRefused(`${to} answered the request without a plan`);
  const { plan } = answer.payload;
  await record({ kind: "plan", plan }, { kind: "nodes", round: 0, nodes: plan.nodes });
  return plan;
}

/** Without approval the run waits and its worker ends; the decision starts a new one. */
async function approved(plan: Plan, { work, record }: RunContext): Promise<boolean> {
  if (work.run.options.approve) {
    await record({ kind: "status", to: "running" });
    return true;
  }
  const titles = plan.nodes.map(({ title }) => title);
  await record(
    { kind: "approval", about: "plan", question: `Carry out this plan? ${plan.summary}`, details: titles },
    { kind: "status", to: "awaiting_approval", reason: "the plan waits for approval" },
  );
  return false;
}

async function seeThrough(plan: Plan, context: RunContext, signal: AbortSignal): Promise<Report> {
  const answer = await context.guide.ask(
    "user",
    "architect",
    "PLAN_APPROVED",
    { plan: plan.id, nodes: [...plan.nodes] },
    { deadlineMs: runDeadlineMs, signal },
  );
  return answer.payload;
}

async function conclude(
  plan: Plan,
  { outcome, failed = [], checks }: Report,
  context: RunContext,
  signal: AbortSignal,
): Promise<void> {
  const { work, workspace, workspaces, record } = context;
  signal.throwIfAborted();
  const commit = await workspaces.commit(
    workspace,
    `${work.run.request.split("\n")[0]!.slice(0, 72)}\n\nSylk run ${work.run.id}`,
  );
  await record({ kind: "commit", commit });
  if (outcome !== "succeeded")
    return end(
      plan,
      "failed",
      `${failed.length === 1 ? "a node" : `${failed.length} nodes`} failed: ${failed.join("; ")}`,
      checks,
      context,
      signal,
    );
  const contentHash = await workspaces.contentHash(workspace.tree);
  // A person approved what they were shown: later edits are not part of it.
  const content = `content ${contentHash}`;
  const approvals = work.approvals.filter(({ kind, details }) => kind === "evidence" && details.includes(content));
  const verdict = judgeEvidence({
    checks,
    contentHash,
    changes: await workspaces.changes(workspace),
    approvedEvidence: approvals.some(({ status }) => status === "approved"),
  });
  if (verdict.status === "verified") return end(plan, "verified", undefined, checks, context, signal);
  if (verdict.approvable && approvals.length === 0)
    await record({
      kind: "approval",
      about: "evidence",
      question: "The change touches what its own checks rely on. Accept the evidence?",
      details: [...verdict.details, content],
    });
  await end(plan, "unverified", verdict.reason, checks, context, signal);
}

async function end(
  plan: Plan | undefined,
  status: RunStatus,
  reason: string | undefined,
  checks: readonly Check[],
  { work, guide, record }: RunContext,
  signal: AbortSignal,
): Promise<void> {
  const content = {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(plan === undefined ? {} : { plan: { ...plan } }),
    checks: [...checks],
  };
  await guide.ask(
    "architect",
    "archivalist",
    "STORE_REQUEST",
    { title: work.run.request, content },
    { deadlineMs: minuteMs, signal },
  );
  await record({ kind: "status", to: status, ...(reason === undefined ? {} : { reason }) });
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof DomainError ||
    error instanceof ModelFailure ||
    error instanceof BudgetExhausted ||
    error instanceof Unanswered ||
    error instanceof PlanRefused
  );
}

function reasonOf(error: unknown): string {
  if (isExpected(error)) return error.message;
  return `a defect in Sylk: ${error instanceof Error ? error.message : String(error)}`;
}
