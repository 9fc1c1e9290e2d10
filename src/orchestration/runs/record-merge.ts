/** The run's change is merged: recorded once, whichever command merged its branch. */
import {
  type AgentRef,
  type AuditActor,
  branch as branches,
  type LogEvent,
  run as contract,
  type RunId,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { WorkspacePort } from "../sessions/index.ts";
import { clearMerged } from "./clear-runs.ts";
import { withdrawQuestions } from "../approvals/index.ts";
import type { RunRepositories } from "./run-ports.ts";

type Ports = { readonly clock: Clock };

export async function recordMerge(
  id: RunId,
  commit: string,
  actor: AuditActor,
  { runs, audit, approvals, events }: Pick<RunRepositories, "runs" | "audit" | "approvals" | "events">,
  { clock }: Ports,
): Promise<void> {
  const record = (await runs.find(id))!;
  if (record.outcome === "merged") return;
  const { status, project, session, commit: checked } = record;
  await runs.update({ ...record, outcome: "merged", mergedAs: commit, updatedAt: clock.now() });
  await events.append(project, contract.RunOutcomeChanged.of(id, { run: id, session, outcome: "merged", commit }));
  await withdrawQuestions(id, { status: "expired", reason: "the run was merged" }, { approvals, events }, clock);
  await audit.append({
    actor,
    action: "run.merged",
    subject: id,
    project,
    details: { status, unverified: status !== "verified", checked, commit },
  });
}

/** `sylk branch merge` of a run's branch merges the run. */
export function followMerges({
  store,
  subscribe,
  clock,
  workspaces,
  onFailed,
}: Ports & {
  readonly workspaces: Pick<WorkspacePort, "clear">;
  readonly store: Store<RunRepositories>;
  /** Calls back with each committed event of a type, until the answer is called. */
  readonly subscribe: (type: string, handle: (event: LogEvent) => void) => () => void;
  readonly onFailed: (error: unknown) => void;
}): () => void {
  return subscribe(branches.BranchMerged.type, ({ project, data }) => {
    const { branch, commit, by } = data as { branch: string; commit: string; by: AgentRef };
    void mergedRun(branch)
      .then((run) =>
        run === undefined
          ? undefined
          : store
              .transact(project, (tx) =>
                recordMerge(run, commit, { kind: "agent", id: by.id, name: by.name }, tx, { clock }),
              )
              .then(() => clearMerged(run, { store, workspaces })),
      )
      .catch(onFailed);

    async function mergedRun(name: string): Promise<RunId | undefined> {
      const ended = await store.reader.runs.withStatus(["verified", "unverified"]);
      return ended.find((run) => run.project === project && run.outcome === "open" && run.workspace?.branch === name)
        ?.id;
    }
  });
}
