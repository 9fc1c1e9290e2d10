/**
 * Upgrades runs that an older Sylk wrote, before runs were graphs: builds the graph that their rows describe.
 *
 *   run, its nodes by rounds, checks, approvals -> graph with the same records -> continues like any other run
 *
 * A daemon does this once, when it starts and before it takes requests.
 */
import type { Approval, NodeId, RunStatus } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import type { GraphRecord, GraphStoredStatus, RunNodeSpec } from "../graphs/index.ts";
import { fingerprint } from "../planning/index.ts";
import type { CheckResult, Judgement } from "./judge-round.ts";
import { firstGraph, graphOptions, nodesOfPlan, nodesOfRound, type RunNodes } from "./run-graph.ts";
import type { OldNode, RunRecord, RunTx } from "./store.ts";

type Adopted = { readonly nodes: RunNodes; readonly records: ReadonlyMap<string, NodeRecord> };

export async function adoptRuns({
  store,
  ids,
}: {
  readonly store: Store<RunTx>;
  readonly ids: IdSource;
}): Promise<void> {
  for (const id of await store.reader.runs.withoutGraph())
    await store.transact(id, async (tx) => {
      const run = (await tx.runs.find(id))!;
      const approvals = await tx.approvals.list({ graph: id, project: undefined, waitingOnly: false });
      const { nodes, records } = await graphOf(run, approvals, tx, ids);
      await tx.dags.insert(recordOf(run, Object.keys(nodes).length), { nodes, remove: [] });
      for (const [node, record] of records)
        await tx.dags.saveNode(id, { node, state: record.state, record, endedAt: undefined });
      for (const { id: node, agent, startedAt, endedAt } of await tx.runs.takeOldNodes(id))
        await tx.dags.setTimes(id, node, { agent, startedAt, endedAt });
      const asking = Object.keys(nodes).find((node) => nodes[node]!.kind === "approval");
      for (const approval of approvals)
        if (approval.kind === "plan" && asking !== undefined) await tx.approvals.attach(approval.id, asking);
    });
}

function recordOf(run: RunRecord, nodes: number): GraphRecord {
  const { id, session, project, request, status, reason, options, workspace, since, createdAt, updatedAt } = run;
  const tree = workspace?.tree ?? options.repository;
  return {
    id,
    session,
    project,
    name: request.slice(0, 120),
    status: graphStatus[status],
    reason,
    options: graphOptions({ ...options, tree }),
    version: 1,
    nodes,
    since,
    createdAt,
    updatedAt,
  };
}

const graphStatus: Readonly<Record<RunStatus, GraphStoredStatus>> = {
  planning: "running",
  awaiting_approval: "running",
  running: "running",
  paused: "paused",
  blocked: "paused",
  verified: "succeeded",
  unverified: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};

async function graphOf(run: RunRecord, approvals: readonly Approval[], tx: RunTx, ids: IdSource): Promise<Adopted> {
  const old = await tx.runs.oldNodesOf(run.id);
  const first = Object.entries(firstGraph(ids).nodes) as [string, RunNodeSpec][];
  const [plan, conclude] = [first[0]!, first[1]!];
  const checks = await checkResults(run, tx);
  const nodes: Record<string, RunNodeSpec> = Object.fromEntries([plan]);
  const records = new Map<string, NodeRecord>();
  const isOver = ["verified", "unverified", "failed", "cancelled"].includes(run.status);
  const left: NodeRecord = isOver ? leftBehind(run.status) : untouched;
  records.set(plan[0], planRecord(run, left));
  let lastJudge: string | undefined;
  const rounds = Math.max(-1, ...old.map(({ round }) => round)) + 1;
  for (let round = 0; run.plan !== undefined && round < Math.max(1, rounds); round++) {
    const work = old.length === 0 ? run.plan.nodes : old.filter((node) => node.round === round).map(asPlanNode);
    const added: RunNodes =
      round === 0
        ? nodesOfPlan({ ...run.plan, nodes: [...work] }, { after: plan[0], approved: run.options.approve }, ids)
        : nodesOfRound({ round, nodes: work, after: lastJudge!, lastJudge: lastJudge! }, ids);
    for (const [id, spec] of Object.entries(added)) {
      nodes[id] = spec;
      const known = old.find((node) => (node.id as string) === id);
      records.set(id, recordFor(spec, known, { approvals, checks, rounds, left }));
      if (spec.kind === "judge") lastJudge = id;
    }
  }
  nodes[conclude[0]] = conclude[1];
  records.set(conclude[0], isOver ? concluded(run) : untouched);
  return { nodes, records: withoutUntouched(records) };
}

const untouched: NodeRecord = { state: "pending", attempt: 0, retries: 0 };
const done = (result: unknown): NodeRecord => ({ state: "succeeded", attempt: 1, retries: 0, result });

function leftBehind(status: RunStatus): NodeRecord {
  return status === "cancelled"
    ? { ...untouched, state: "cancelled", cause: "cancel-requested" }
    : { ...untouched, state: "skipped", cause: "skip-requested", treatedAsDone: true };
}

function planRecord({ plan, status, reason }: RunRecord, left: NodeRecord): NodeRecord {
  if (plan !== undefined) return done({ plan: plan.id, outline: plan.summary });
  if (status !== "failed") return left;
  return { ...untouched, state: "failed", attempt: 1, error: { class: "permanent", message: reason ?? "" } };
}

type Around = {
  readonly approvals: readonly Approval[];
  readonly checks: ReadonlyMap<string, CheckResult>;
  readonly rounds: number;
  readonly left: NodeRecord;
};

function recordFor(
  spec: RunNodeSpec,
  old: OldNode | undefined,
  { approvals, checks, rounds, left }: Around,
): NodeRecord {
  const { kind, round } = spec;
  const of = (check: string) => checks.get(`${check} ${round}`);
  if (kind === "approval")
    return approvalRecord(
      approvals.findLast((approval) => approval.kind === "plan"),
      left,
    );
  if (kind === "engineer") {
    if (old === undefined) return left;
    return old.record ?? (old.state === "pending" ? left : { ...untouched, state: old.state, attempt: old.attempt });
  }
  if (kind === "check") {
    const result = of(spec.check!);
    return result === undefined ? left : done(result);
  }
  const [inspection, tests] = [of("inspection"), of("tests")];
  if (inspection === undefined || tests === undefined) return left;
  const isCorrected = round + 1 < rounds;
  const judgement: Judgement = isCorrected
    ? { verdict: "rejected", fingerprint: fingerprint([...inspection.findings, ...tests.findings]) }
    : { verdict: "accepted" };
  // If a round was checked but not judged, the new graph judges it.
  return isCorrected || left.state !== "pending" ? done(judgement) : untouched;
}

function approvalRecord(asked: Approval | undefined, left: NodeRecord): NodeRecord {
  if (asked === undefined || asked.status === "expired") return left;
  const { question, details } = asked;
  const answer = { decision: asked.status === "approved" ? "approve" : "reject", reason: asked.reason, attempt: 0 };
  if (asked.status === "waiting")
    return { ...untouched, state: "blocked", block: { on: "approval", question, details } };
  const answers = [{ on: "approval" as const, question, answer }];
  return asked.status === "approved"
    ? { ...done({ approved: true }), answers }
    : {
        ...untouched,
        state: "failed",
        attempt: 1,
        error: { class: "permanent", message: asked.reason ?? "it was rejected" },
        answers,
      };
}

function concluded({ status, reason, commit }: RunRecord): NodeRecord {
  return done({ status, reason, commit });
}

/** If a crash made a check run twice in a round, the last result counts. */
async function checkResults({ id }: RunRecord, { runs }: RunTx): Promise<ReadonlyMap<string, CheckResult>> {
  const findings = await runs.findingsOf(id);
  const results = new Map<string, CheckResult>();
  for (const check of await runs.checksOf(id)) {
    const by = check.kind === "inspection" ? "inspector" : "tester";
    const isRejected = check.outcome !== "pass" && check.outcome !== "not-run";
    results.set(`${check.kind} ${check.round}`, {
      check,
      findings: isRejected ? findings.filter((finding) => finding.by === by) : [],
    });
  }
  return results;
}

function asPlanNode({ id, title, role, prompt, dependsOn }: OldNode) {
  return { id, title, role, prompt, dependsOn: [...dependsOn] as NodeId[] };
}

function withoutUntouched(records: ReadonlyMap<string, NodeRecord>): ReadonlyMap<string, NodeRecord> {
  return new Map([...records].filter(([, record]) => record !== untouched));
}
