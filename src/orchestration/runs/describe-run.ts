/** Describes the current or last run of a session. */
import type { RunId, RunStatus, SessionPhase } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { DescribedWork, GraphRecord } from "../graphs/index.ts";
import { type KnownNode, nodesOf, sinceLastPlan } from "./run-nodes.ts";
import type { RunTx } from "./store.ts";

export async function describeRun({ id }: GraphRecord, tx: RunTx): Promise<DescribedWork> {
  const { status, reason, request } = (await tx.runs.find(id as RunId))!;
  const nodes = await nodesOf(id, tx.dags);
  const work = nodes.filter(({ spec }) => spec.kind === "engineer");
  return {
    phase: phaseOf(status, nodes),
    objective: request,
    status,
    ...defined({ reason }),
    progress: { done: work.filter(({ record }) => record.state === "succeeded").length, total: work.length },
  };
}

const ended: ReadonlySet<RunStatus> = new Set(["verified", "unverified", "failed", "cancelled"]);

/** The phase of a run; for a paused run, the phase it paused in. Each round is implemented, inspected, then tested. */
export function phaseOf(status: RunStatus, nodes: readonly Pick<KnownNode, "spec" | "record">[]): SessionPhase {
  if (ended.has(status)) return "complete";
  const isDone = (wanted: Pick<KnownNode, "spec" | "record">[]) =>
    wanted.every(({ record }) => record.state === "succeeded" || record.state === "skipped");
  const current = sinceLastPlan(nodes);
  const gates = current.filter(({ spec }) => spec.kind === "plan" || spec.kind === "approval");
  if (!isDone(gates)) return "planning";
  const round = Math.max(...current.map(({ spec }) => spec.round));
  const ofRound = (kind: string, check?: string) =>
    current.filter(({ spec }) => spec.round === round && spec.kind === kind && spec.check === check);
  if (!isDone(ofRound("engineer"))) return "execution";
  return isDone(ofRound("check", "inspection")) ? "testing" : "inspection";
}
