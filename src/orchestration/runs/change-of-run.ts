/** The change of a run: show its diff, merge it, or discard it into quarantine. It is never lost. */
import {
  run as contract,
  DomainError,
  type Caller,
  type InputOf,
  type OutputOf,
  type RunId,
} from "../../contract/index.ts";
import { withdrawQuestions } from "../approvals/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Workspace } from "../sessions/index.ts";
import { clearMerged } from "./clear-runs.ts";
import { refuseUnless } from "./guard-run.ts";
import { recordMerge } from "./record-merge.ts";
import { findRun, viewRun } from "./run-view.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";
import type { RunRecord } from "./store.ts";

export async function diffOfRun(
  id: RunId,
  caller: Caller,
  { store, workspaces }: RunPorts,
): Promise<OutputOf<"run.diff">> {
  const record = await findRun(id, caller, store.reader.runs);
  const { files, patch, truncated } = await workspaces.diff(openWorkspace(record), record.commit);
  return {
    files: files.map(({ path, kind, added, removed }) => ({
      path,
      kind,
      ...(added === undefined ? {} : { added }),
      ...(removed === undefined ? {} : { removed }),
    })),
    patch,
    truncated,
  };
}

/** Safe to repeat after a lost answer: a second call finds the change merged and says so. */
export async function mergeRun(
  { id, unverified, waitMs }: InputOf<"run.merge">,
  { caller, transact, signal }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<OutputOf<"run.merge">> {
  const record = await findRun(id, caller, ports.store.reader.runs);
  const { repository: tree, branch } = openWorkspace(record);
  if (record.outcome === "merged" && record.mergedAs !== undefined)
    return { ...(await merged(id, ports)), commit: record.mergedAs, already: true, paths: [], told: [] };
  refuseUnless(
    record,
    ["verified", ...(unverified ? (["unverified"] as const) : [])],
    "merged (add --unverified to merge an unverified change)",
  );
  if (record.commit === undefined) throw nothingToMerge(record);
  const message = `${firstLine(record.request)}\n\nSylk run ${id}, ${record.status}`;
  const { commit, paths, told } = await ports.mergeChange(
    // The checked commit: the branch may have changed since.
    {
      tree,
      branch,
      commit: record.commit,
      message,
      waitMs,
      record: (commit, tx) => recordMerge(id, commit, actorOf(caller), tx, ports),
    },
    { caller, signal },
  );
  await transact(id, (tx) => recordMerge(id, commit, actorOf(caller), tx, ports));
  return { ...(await merged(id, ports)), commit, already: false, paths, told };
}

/** A merged run needs its tree and branch no more, unless they hold further changes. */
async function merged(id: RunId, ports: RunPorts): Promise<Pick<OutputOf<"run.merge">, "run" | "kept">> {
  const kept = await clearMerged(id, ports);
  const { reader } = ports.store;
  return { run: await viewRun((await reader.runs.find(id))!, reader), ...defined({ kept }) };
}

export async function discardRun(
  id: RunId,
  { caller, transact }: Call<RunRepositories>,
  ports: RunPorts,
): Promise<OutputOf<"run.discard">> {
  const record = await findRun(id, caller, ports.store.reader.runs);
  refuseUnless(record, ["verified", "unverified", "failed", "cancelled", "paused"], "discarded");
  const workspace = openWorkspace(record);
  await ports.host.settled(id); // attempts of a run that was just interrupted may still be stopping
  const reference = record.cleared ? undefined : (await ports.workspaces.quarantine(workspace)).reference;
  return transact(id, async (tx) => {
    const known = (await tx.runs.find(id))!;
    // A merged change stays merged. Only its tree and branch are removed.
    const outcome = known.outcome === "merged" ? known.outcome : "discarded";
    const discarded: RunRecord = { ...known, outcome, cleared: true, updatedAt: ports.clock.now() };
    await tx.runs.update(discarded);
    await withdrawQuestions(id, { status: "expired", reason: `the run was ${outcome}` }, tx, ports.clock);
    if (outcome === "discarded") {
      const data = { run: id, session: known.session, outcome: "discarded", ...defined({ reference }) } as const;
      await tx.events.append(known.project, contract.RunOutcomeChanged.of(id, data));
    }
    await tx.audit.append({
      actor: actorOf(caller),
      action: "run.discarded",
      subject: id,
      project: record.project,
      details: { status: record.status, reference },
    });
    return { run: await viewRun(discarded, tx), ...defined({ reference }) };
  });
}

function openWorkspace({ id, workspace, outcome, status }: RunRecord): Workspace {
  if (workspace !== undefined && outcome !== "discarded" && status !== "planning") return workspace;
  throw new DomainError(
    "run.not-possible",
    outcome === "discarded"
      ? `${id} was discarded; see its change with "git show refs/sylk/quarantine/…"`
      : `${id} has changed nothing yet`,
    { details: { status, outcome } },
  );
}

function nothingToMerge({ id, status, outcome }: RunRecord): DomainError {
  return new DomainError("run.not-possible", `Run ${id} changed nothing, so there is nothing to merge.`, {
    details: { status, outcome },
  });
}

function firstLine(text: string): string {
  return text.split("\n")[0]!.slice(0, 72);
}
