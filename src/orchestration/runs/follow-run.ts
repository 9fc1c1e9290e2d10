/**
 * Updates a run when its graph changes, in the same transaction.
 *
 *   plan succeeded -> plan stored · check succeeded -> check and findings · conclusion -> commit, evidence to accept
 *   every change   -> run.* events, and the status that follows from the nodes
 */
import {
  type Approval,
  run as contract,
  type NodeId,
  type Plan,
  type PlanNode,
  type RunId,
} from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { defined } from "../../platform/defined.ts";
import { askPerson, settle, withdrawQuestions } from "../approvals/index.ts";
import type { NodeTransition } from "../dag/index.ts";
import { type FollowedBatch, type GraphFollower, type GraphRecord, isOfRun, specOf } from "../graphs/index.ts";
import type { CheckResult } from "./judge-round.ts";
import { type Conclusion, projectRun, type Standing } from "./project-run.ts";
import { type KnownNode, nodesOf } from "./run-nodes.ts";
import type { RunRecord, RunTx } from "./store.ts";

type Ports = { readonly ids: IdSource };
/** The result of the plan node. The nodes of the plan are in its adjustment. */
export type Planned = {
  readonly plan: Plan["id"];
  readonly outline: string;
  readonly checks?: Plan["checks"];
  readonly existing?: Plan["existing"];
};

export function followRuns({ ids }: Ports): GraphFollower<RunTx> {
  return {
    async changed(graph, batch, tx, now) {
      const id = graph.id as RunId;
      const nodes = await nodesOf(id, tx.dags);
      const known = new Map(nodes.map((node) => [node.id, node]));
      const run = (await tx.runs.find(id))!;
      await keepPlan(run, batch, known, tx, now);
      for (const transition of batch.transitions) {
        const node = known.get(transition.node);
        if (node !== undefined) await follow(transition, node, { run, tx, now, ids });
      }
      await keepStatus(graph, nodes, tx, now);
    },
    async statusChanged(graph, status, reason, tx, now) {
      await keepStatus({ ...graph, status, reason }, await nodesOf(graph.id, tx.dags), tx, now);
    },
  };
}

type FollowStep = { readonly run: RunRecord; readonly tx: RunTx; readonly now: number; readonly ids: IdSource };

async function keepPlan(
  run: RunRecord,
  { entries, transitions }: FollowedBatch,
  known: ReadonlyMap<string, KnownNode>,
  tx: RunTx,
  now: number,
): Promise<void> {
  const added = entries.flatMap((entry) =>
    entry.kind === "adjusted" ? [...(entry.adjustment.add ?? []), ...(entry.adjustment.replace ?? [])] : [],
  );
  const rounds = new Map<number, PlanNode[]>();
  for (const node of added) {
    const spec = specOf(node);
    if (!isOfRun(spec) || spec.kind !== "engineer") continue;
    const { title, role, prompt, dependsOn, files, round } = spec;
    const planned = dependsOn.filter((parent) => known.get(parent)?.spec.kind === "engineer") as NodeId[];
    rounds.set(round, [
      ...(rounds.get(round) ?? []),
      { id: node.id as NodeId, title, role, prompt, dependsOn: planned, ...(files && { files: [...files] }) },
    ]);
  }
  const plan = transitions.find(({ node, to }) => to === "succeeded" && known.get(node)?.spec.kind === "plan");
  if (plan !== undefined) {
    const { plan: id, outline: summary, checks, existing } = plan.result as Planned;
    const nodes = rounds.get(known.get(plan.node)!.spec.round) ?? [];
    await tx.runs.update({
      ...(await tx.runs.find(run.id))!,
      plan: { id, summary, nodes, ...defined({ checks, existing }) },
      updatedAt: now,
    });
  }
  for (const [round, nodes] of rounds)
    await tx.events.append(run.project, contract.RunPlanned.of(run.id, { ...aboutOf(run), round, nodes }));
}

async function follow(transition: NodeTransition, { spec, row }: KnownNode, at: FollowStep): Promise<void> {
  const { run, tx } = at;
  const { node, from, to, attempt, cause } = transition;
  const error = transition.error?.message;
  const data = {
    ...aboutOf(run),
    node: node as NodeId,
    title: spec.title,
    from,
    to,
    attempt,
    ...defined({ agent: row?.agent, error, cause }),
  };
  await tx.events.append(run.project, contract.RunNodeChanged.of(node, data));
  if (from === "blocked") await expireQuestions(run, transition, tx);
  if (to !== "succeeded") return;
  if (spec.kind === "check") await keepCheck(transition.result as CheckResult, at);
  if (spec.kind === "conclude") await keepConclusion(transition.result as Conclusion, at);
}

async function keepCheck({ check, findings }: CheckResult, { run, tx }: FollowStep): Promise<void> {
  await tx.runs.addCheck(run.id, check, findings);
  await tx.events.append(
    run.project,
    contract.RunChecked.of(run.id, { ...aboutOf(run), check, findings: [...findings] }),
  );
}

async function keepConclusion(
  { commit, cleared = false, evidence }: Conclusion,
  { run, tx, now, ids }: FollowStep,
): Promise<void> {
  await tx.runs.update({ ...(await tx.runs.find(run.id))!, commit, cleared, updatedAt: now });
  if (evidence !== undefined) await askPerson(run, { kind: "evidence", ...evidence }, tx, { ids, now });
}

/** The node continued or ended, so its open question expires. An answer that came in time is kept. */
async function expireQuestions({ id, project }: RunRecord, { node, at }: NodeTransition, tx: RunTx): Promise<void> {
  for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true }))
    if (waiting.node === node && isOfConversation(waiting))
      await settle(waiting, project, { status: "expired" }, tx, { now: () => at });
}

function isOfConversation({ kind }: Approval): boolean {
  return kind === "question" || kind === "command";
}

async function keepStatus(graph: GraphRecord, nodes: readonly KnownNode[], tx: RunTx, now: number): Promise<void> {
  const run = (await tx.runs.find(graph.id as RunId))!;
  // Within a batch, the graph's row may be newer than the host's copy.
  const current = (await tx.dags.find(graph.id)) ?? graph;
  const standing = projectRun({ graph: current, nodes, run });
  if (standing.status === run.status && standing.reason === run.reason) return;
  // A run that continues gets its tree again.
  const cleared = run.cleared && hasEnded(standing.status);
  await tx.runs.update({ ...run, ...standing, cleared, updatedAt: now });
  await tx.events.append(run.project, contract.RunStatusChanged.of(run.id, changeOf(run, standing)));
  await withdrawFor(run, standing, tx, now);
}

function changeOf(run: RunRecord, { status, reason }: Standing) {
  return { ...aboutOf(run), from: run.status, to: status, ...defined({ reason }) };
}

function hasEnded(status: RunRecord["status"]): boolean {
  return ["verified", "unverified", "failed", "cancelled"].includes(status);
}

/** When a run ends, its open questions end, too. A question about its evidence ends when it continues. */
async function withdrawFor(run: RunRecord, { status }: Standing, tx: RunTx, now: number): Promise<void> {
  const clock = { now: () => now };
  if (run.status === "unverified" && status !== "unverified") {
    const withdrawn = { status: "expired", reason: "the run continued", kinds: ["evidence"] } as const;
    await withdrawQuestions(run.id, withdrawn, tx, clock);
  }
  if (!hasEnded(status)) return;
  const reason = status === "cancelled" ? "the run was cancelled" : `the run ended as ${status}`;
  if (status === "cancelled" || status === "failed")
    await withdrawQuestions(run.id, { status: "rejected", reason }, tx, clock);
  else {
    const kinds = ["plan", "node", "command", "question"] as const;
    await withdrawQuestions(run.id, { status: "expired", reason, kinds }, tx, clock);
  }
}

function aboutOf({ id, session }: RunRecord) {
  return { run: id, session };
}
