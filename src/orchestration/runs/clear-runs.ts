/**
 * Removes trees and branches of runs that need them no more. Changes that are merged nowhere are never removed: those of
 * failed runs move to quarantine, those of others stay.
 */
import { type Caller, type OutputOf, type RunId } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Store } from "../../platform/store/index.ts";
import type { WorkspacePort } from "../sessions/index.ts";
import { openStatuses } from "./guard-run.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";
import { existingWorkspace } from "./run-view.ts";
import type { RunRecord } from "./store.ts";

type Cleared = OutputOf<"run.clear">["cleared"][number];
type Result = { readonly cleared: Omit<Cleared, "run" | "request"> } | { readonly kept: string };
type ClearPorts = { readonly store: Store<RunRepositories>; readonly workspaces: Pick<WorkspacePort, "clear"> };

/** Returns why tree and branch of a merged run are still there; undefined when they are gone. */
export async function clearMerged(id: RunId, ports: ClearPorts): Promise<string | undefined> {
  const run = (await ports.store.reader.runs.find(id))!;
  return clearUpTo(run, run.commit!, ports);
}

async function clearUpTo(run: RunRecord, commit: string, { store, workspaces }: ClearPorts) {
  const workspace = existingWorkspace(run);
  if (workspace === undefined) return undefined;
  const { kept } = await workspaces.clear(workspace, commit);
  if (kept === undefined)
    await store.transact(run.id, async (tx) => tx.runs.update({ ...(await tx.runs.find(run.id))!, cleared: true }));
  return kept;
}

export async function clearRuns(
  caller: Caller,
  discard: (id: RunId) => Promise<{ readonly reference?: string | undefined }>,
  ports: RunPorts,
): Promise<OutputOf<"run.clear">> {
  const known = await ports.store.reader.runs.withStatus([
    ...openStatuses,
    "verified",
    "unverified",
    "failed",
    "cancelled",
  ]);
  const isOurs = ({ project }: RunRecord) => caller.project === undefined || caller.project.id === project;
  const answer: OutputOf<"run.clear"> = { cleared: [], kept: [] };
  for (const run of known) {
    const workspace = existingWorkspace(run);
    if (workspace === undefined || !isOurs(run)) continue;
    const about = { run: run.id, request: run.request };
    const result = await clearOne(run, discard, ports);
    if ("kept" in result) answer.kept.push({ ...about, branch: workspace.branch, why: result.kept });
    else answer.cleared.push({ ...about, ...result.cleared });
  }
  if (answer.cleared.length > 0) await auditCleared(caller, answer.cleared, ports);
  return answer;
}

async function clearOne(
  run: RunRecord,
  discard: (id: RunId) => Promise<{ readonly reference?: string | undefined }>,
  ports: ClearPorts,
): Promise<Result> {
  const { status, outcome, commit, workspace } = run;
  if (openStatuses.includes(status)) return { kept: `it is ${status}` };
  const isEmpty = commit === undefined || commit === workspace!.baseCommit;
  if (outcome === "merged" || isEmpty) {
    const kept = await clearUpTo(run, isEmpty ? workspace!.baseCommit : commit, ports);
    return kept === undefined ? { cleared: { why: outcome === "merged" ? "merged" : "empty" } } : { kept };
  }
  if (status === "failed") {
    const { reference } = await discard(run.id);
    return { cleared: { why: "failed", ...defined({ reference }) } };
  }
  return { kept: `it is ${status} and not merged` };
}

async function auditCleared(caller: Caller, cleared: readonly Cleared[], { store }: RunPorts): Promise<void> {
  await store.transact("runs", async (tx) => {
    for (const { run, why } of cleared) {
      if (why === "failed") continue; // its discard is audited
      const { project } = (await tx.runs.find(run))!;
      await tx.audit.append({ actor: actorOf(caller), action: "run.cleared", subject: run, project, details: { why } });
    }
  });
}
