/**
 * The last node of a run, which always executes: it commits the change, judges the evidence and archives the run.
 *
 *   the worker ends -> commit -> cancelled? rejected? failed? skipped by the user? -> else the evidence gate -> archive -> Conclusion
 */
import type { Check, PayloadOf, RunId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Attempt, RunNodeSpec } from "../graphs/index.ts";
import { judgeEvidence } from "../quality/index.ts";
import type { WorkspacePort } from "../sessions/index.ts";
import type { CheckResult } from "./judge-round.ts";
import type { Conclusion } from "./project-run.ts";
import { type KnownNode, nodesOf, sinceLastPlan } from "./run-nodes.ts";
import type { RunRecord, RunTx } from "./store.ts";

export type ConcludePorts = {
  readonly store: Store<RunTx>;
  readonly workspaces: WorkspacePort;
  /** Stops the run's worker. After a cancel it may still make the tree or write in it, and two makers undo each other. */
  readonly restWorker: (run: RunId) => Promise<void>;
  /** Stores the run in the archive, through the Archivalist. */
  readonly archive: (run: RunRecord, entry: PayloadOf<"STORE_REQUEST">, signal: AbortSignal) => Promise<void>;
};

export async function concludeRun(
  { dag, context, begin }: Attempt<RunNodeSpec>,
  ports: ConcludePorts,
): Promise<Conclusion> {
  await begin();
  const { reader } = ports.store;
  const run = (await reader.runs.find(dag as RunId))!;
  const nodes = await nodesOf(dag, reader.dags);
  const graph = (await reader.dags.find(dag))!;
  const commit = await commitChange(run, ports);
  const checks = checksIn(nodes);
  const current = sinceLastPlan(nodes);
  const isCancelled =
    context.ended?.outcome === "cancelled" && current.some(({ record }) => record.state === "cancelled");
  const standing = isCancelled
    ? { status: "cancelled" as const, ...defined({ reason: cancelReason(current) ?? graph.reason }) }
    : ((await concludeWithoutEvidence(current)) ?? (await concludeByEvidence(run, checks, ports)));
  const conclusion: Conclusion = { ...standing, ...(await changeOf(run, commit, ports)) };
  await ports.archive(run, archiveEntry(run, conclusion, checks), context.signal);
  return conclusion;
}

/** A run that wrote no file has no tree to commit. */
async function commitChange(
  { id, request, workspace }: RunRecord,
  { workspaces, restWorker }: ConcludePorts,
): Promise<string | undefined> {
  if (workspace === undefined) return undefined;
  await restWorker(id);
  await workspaces.ensure(workspace);
  return workspaces.commit(workspace, `${request.split("\n")[0]!.slice(0, 72)}\n\nSylk run ${id}`);
}

/** A run that changed nothing leaves neither tree nor branch. */
async function changeOf(
  { workspace }: RunRecord,
  commit: string | undefined,
  { workspaces }: ConcludePorts,
): Promise<Pick<Conclusion, "commit" | "cleared">> {
  if (workspace === undefined) return {};
  if (commit !== undefined && commit !== workspace.baseCommit) return { commit };
  const { kept } = await workspaces.clear(workspace, workspace.baseCommit);
  return { cleared: kept === undefined };
}

function cancelReason(nodes: readonly KnownNode[]): string | undefined {
  return nodes.find(({ record }) => record.state === "cancelled")?.record.reason;
}

/** Returns undefined when every node succeeded. Then the evidence decides. */
async function concludeWithoutEvidence(nodes: readonly KnownNode[]): Promise<Conclusion | undefined> {
  const failed = nodes.filter(({ spec, record }) => record.state === "failed" && spec.kind !== "conclude");
  const rejected = failed.find(({ spec }) => spec.kind === "approval")?.record;
  if (rejected !== undefined) return { status: "cancelled", reason: `the plan was rejected${reasonIn(rejected)}` };
  const plan = failed.find(({ spec }) => spec.kind === "plan")?.record;
  if (plan !== undefined) return { status: "failed", reason: plan.error?.message ?? "there is no plan" };
  if (failed.length > 0) {
    const told = failed.map(({ spec, record }) => `${spec.title}: ${record.error?.message ?? "failed"}`);
    return {
      status: "failed",
      reason: `${told.length === 1 ? "a node" : `${told.length} nodes`} failed: ${told.join("; ")}`,
    };
  }
  const skipped = nodes.filter(({ spec, record }) => record.cause === "skip-requested" && isNeeded(spec, record));
  if (skipped.length === 0) return undefined;
  return { status: "unverified", reason: `skipped: ${skipped.map(({ spec }) => spec.title).join(", ")}` };
}

function reasonIn({ answers = [] }: KnownNode["record"]): string {
  const { reason } = (answers.at(-1)?.answer ?? {}) as { readonly reason?: string };
  return reason === undefined ? "" : `: ${reason}`;
}

/** A run that skipped a needed node stays unverified. Only an engineer node that was skipped as done is not needed. */
function isNeeded({ kind }: RunNodeSpec, { treatedAsDone }: KnownNode["record"]): boolean {
  return kind !== "engineer" || treatedAsDone !== true;
}

/** The checks of the last checked round. */
function checksIn(nodes: readonly KnownNode[]): readonly Check[] {
  const done = nodes.filter(({ spec, record }) => spec.kind === "check" && record.state === "succeeded");
  const round = Math.max(0, ...nodes.map(({ spec }) => spec.round));
  return done.filter(({ spec }) => spec.round === round).map(({ record }) => (record.result as CheckResult).check);
}

async function concludeByEvidence(run: RunRecord, checks: readonly Check[], ports: ConcludePorts): Promise<Conclusion> {
  const { store, workspaces } = ports;
  const workspace = run.workspace!;
  const contentHash = await workspaces.contentHash(workspace.tree);
  // A person approved the content they saw. The approval does not cover later edits.
  const content = `content ${contentHash}`;
  const asked = await store.reader.approvals.list({ graph: run.id, project: undefined, waitingOnly: false });
  const approvals = asked.filter(({ kind, details }) => kind === "evidence" && details.includes(content));
  const verdict = judgeEvidence({
    checks,
    contentHash,
    changes: await workspaces.changes(workspace),
    approvedEvidence: approvals.some(({ status }) => status === "approved"),
  });
  if (verdict.status === "verified") return { status: "verified" };
  const question = "The change touches files that its own checks rely on. Accept the evidence?";
  const evidence = { question, details: [...verdict.details, content] };
  const isAsked = verdict.approvable && approvals.length === 0;
  return { status: "unverified", reason: verdict.reason, ...(isAsked ? { evidence } : {}) };
}

function archiveEntry(
  { request, plan }: RunRecord,
  { status, reason }: Conclusion,
  checks: readonly Check[],
): PayloadOf<"STORE_REQUEST"> {
  return { title: request, content: { status, ...defined({ reason, plan }), checks: [...checks] } };
}
