/**
 * Continues a finished run with a word of feedback, on the same branch.
 *
 *   feedback -> a new plan node -> the Architect, who is told the earlier plan and its evidence -> approval -> … -> conclude
 */
import { type Caller, DomainError, type InputOf, type RunStatus } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { settle } from "../approvals/index.ts";
import { extendGraph, type GraphRecord } from "../graphs/index.ts";
import { refuseClosed, refuseUnless } from "./guard-run.ts";
import { adding, feedbackNode } from "./run-graph.ts";
import type { KnownNode } from "./run-nodes.ts";
import type { RunPorts } from "./run-ports.ts";
import type { RunRecord } from "./store.ts";

type Known = { readonly run: RunRecord; readonly graph: GraphRecord; readonly nodes: readonly KnownNode[] };

const ended: readonly RunStatus[] = ["verified", "unverified", "failed"];

export async function giveFeedback(
  { text, approve }: Pick<InputOf<"run.feedback">, "text" | "approve">,
  { run, graph, nodes }: Known,
  caller: Caller,
  ports: RunPorts,
): Promise<void> {
  refuseClosed(run);
  if (approve && caller.kind !== "user")
    throw new DomainError("caller.denied", "Only the user approves a plan in advance. Leave out approve.", {
      details: { needed: "the user's token" },
    });
  // A rejected plan ends its run as cancelled, but no work of it was cut off.
  const isRejected = run.status === "cancelled" && nodes.every(({ record }) => record.state !== "cancelled");
  if (!isRejected) refuseUnless(run, ended, "continued with feedback");
  await expireWaiting(run, ports);
  const round = Math.max(...nodes.map(({ spec }) => spec.round)) + 1;
  const conclude = nodes.find(({ spec }) => spec.kind === "conclude")!.id;
  const added = feedbackNode({ feedback: text, round, approved: approve }, ports.ids);
  await extendGraph(graph, { repeat: conclude, adjustment: adding(added) }, ports);
  await ports.store.transact(run.id, (tx) =>
    tx.audit.append({
      actor: actorOf(caller),
      action: "run.feedback-given",
      subject: run.id,
      project: run.project,
      details: { approvedInAdvance: approve },
    }),
  );
}

/** Evidence of the earlier change is not asked about any more. */
async function expireWaiting({ id, project }: RunRecord, { store, clock }: RunPorts): Promise<void> {
  await store.transact(id, async (tx) => {
    for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true }))
      await settle(waiting, project, { status: "expired" }, tx, clock);
  });
}
