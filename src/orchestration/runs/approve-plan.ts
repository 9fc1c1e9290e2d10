/** The approval node of a run. The plan, or a changed plan, runs once a person approves it. */
import type { RunId } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { Blocked, NodeFailure } from "../dag/index.ts";
import { type Attempt, decisionFor, type RunNodeSpec } from "../graphs/index.ts";
import { workOf } from "./run-nodes.ts";
import type { RunTx } from "./store.ts";

/** After a rejection all dependents are skipped, and the run ends as cancelled. */
export async function approvePlan(
  { dag: id, spec, context, begin }: Attempt<RunNodeSpec>,
  { store: { reader } }: { readonly store: Store<RunTx> },
): Promise<unknown> {
  const given = decisionFor(context);
  if (given === undefined) {
    const { plan } = (await reader.runs.find(id as RunId))!;
    const existing = (plan?.existing ?? []).map(({ title, files }) => `exists already: ${title} (${files.join(", ")})`);
    const details = [...(await workOf(id, reader.dags)).map(({ title }) => title), ...existing];
    const asked = spec.title === firstApproval ? "Carry out this plan?" : "Carry out the changed plan?";
    throw new Blocked({ on: "approval", question: `${asked} ${plan?.summary ?? ""}`, details }, { beforeStart: true });
  }
  await begin();
  if (given.decision === "approve") return { approved: true };
  throw new NodeFailure({ class: "permanent", message: given.reason ?? "it was rejected" });
}

export const firstApproval = "Approve the plan";
export const changedApproval = "Approve the changed plan";
