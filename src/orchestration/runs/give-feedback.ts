/**
 * Continues a run with a word of feedback, on the same branch.
 *
 *   run has ended       -> a new plan node -> the Architect, who is told the earlier plan and its evidence -> approval -> …
 *   plan waits for you  -> its nodes leave, a new plan node comes, in one change of the graph -> the Architect -> approval -> …
 */
import { type Caller, DomainError, type InputOf, type RunStatus } from "../../contract/index.ts";
import { actorOf } from "../../platform/audit/index.ts";
import { settle } from "../approvals/index.ts";
import { adjustGraph, extendGraph, type GraphRecord } from "../graphs/index.ts";
import { refuseClosed } from "./guard-run.ts";
import { adding, feedbackNode } from "./run-graph.ts";
import { type KnownNode, sinceLastPlan } from "./run-nodes.ts";
import type { RunPorts } from "./run-ports.ts";
import type { RunRecord } from "./store.ts";

type Known = { readonly run: RunRecord; readonly graph: GraphRecord; readonly nodes: readonly KnownNode[] };
type Given = Pick<InputOf<"run.feedback">, "text" | "approve">;

const ended: readonly RunStatus[] = ["verified", "unverified", "failed"];

export async function giveFeedback(given: Given, known: Known, caller: Caller, ports: RunPorts): Promise<void> {
  const { run, graph, nodes } = known;
  refuseClosed(run);
  if (given.approve && caller.kind !== "user")
    throw new DomainError("caller.denied", "Only the user approves a plan in advance. Leave out approve.", {
      details: { needed: "the user's token" },
    });
  const waiting = waitingPlan(known);
  if (waiting === undefined) {
    refuseUnended(known);
    await expireWaiting(run, ports);
    const conclude = nodes.find(({ spec }) => spec.kind === "conclude")!.id;
    await extendGraph(graph, { repeat: conclude, adjustment: adding(nextPlan(given, known, ports)) }, ports);
  } else {
    const replaces = waiting.flatMap(({ spec: { kind, title, prompt } }) =>
      kind === "engineer" ? [{ title, prompt }] : [],
    );
    const adjustment = {
      ...adding(nextPlan(given, known, ports, { replaces })),
      remove: waiting.map(({ id }) => id),
    };
    await adjustGraph(graph, adjustment, graph.version, ports);
  }
  await ports.store.transact(run.id, (tx) =>
    tx.audit.append({
      actor: actorOf(caller),
      action: "run.feedback-given",
      subject: run.id,
      project: run.project,
      details: { approvedInAdvance: given.approve },
    }),
  );
}

function nextPlan({ text, approve }: Given, { nodes }: Known, { ids }: RunPorts, more = {}) {
  const round = Math.max(...nodes.map(({ spec }) => spec.round)) + 1;
  return feedbackNode({ feedback: text, round, approved: approve, ...more }, ids);
}

/** The nodes of a plan that waits for approval, if none of its work has begun. */
function waitingPlan({ run, nodes }: Known): readonly KnownNode[] | undefined {
  if (run.status !== "awaiting_approval") return undefined;
  const planned = sinceLastPlan(nodes).filter(({ spec }) => spec.kind !== "plan" && spec.kind !== "conclude");
  return planned.every(({ record }) => record.attempt === 0) ? planned : undefined;
}

function refuseUnended({ run: { id, status }, nodes }: Known): void {
  // A rejected plan ends its run as cancelled, but no work of it was cut off.
  const isRejected = status === "cancelled" && nodes.every(({ record }) => record.state !== "cancelled");
  if (isRejected || ended.includes(status)) return;
  throw new DomainError("run.not-possible", `Run ${id} is ${status}, so it takes no feedback. ${wayOut(id, status)}`, {
    details: { status, allowed: [...ended, "awaiting_approval"] },
  });
}

function wayOut(id: string, status: RunStatus): string {
  const later = `give it again when the run has ended`;
  switch (status) {
    case "planning":
      return `Its plan is being made: "sylk run watch ${id}" shows it, then give it again.`;
    case "paused":
    case "blocked":
      return `Continue it with "sylk run resume ${id}", and ${later}.`;
    case "cancelled":
      return `Its work was cut off: repeat a node with "sylk run retry ${id} <node>", or start a new run.`;
    default:
      return `Its work has begun: change what has not started with "sylk run adjust ${id} <file>", or ${later}.`;
  }
}

/** Evidence of the earlier change is not asked about any more. */
async function expireWaiting({ id, project }: RunRecord, { store, clock }: RunPorts): Promise<void> {
  await store.transact(id, async (tx) => {
    for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true }))
      await settle(waiting, project, { status: "expired" }, tx, clock);
  });
}
