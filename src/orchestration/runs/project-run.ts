/**
 * Derives the status of a run from its graph. The run's row has a copy only so that runs can be listed by status.
 *
 *   paused graph -> paused · conclusion -> its status · plan open -> planning · approval asked -> awaiting_approval
 */
import type { RunStatus } from "../../contract/index.ts";
import { isDone } from "../dag/index.ts";
import type { GraphRecord } from "../graphs/index.ts";
import type { KnownNode } from "./run-nodes.ts";
import type { RunRecord } from "./store.ts";

export type Standing = { readonly status: RunStatus; readonly reason: string | undefined };
/** The result of the conclude node. */
export type Conclusion = {
  readonly status: Extract<RunStatus, "verified" | "unverified" | "failed" | "cancelled">;
  readonly reason?: string;
  /** Absent if it changed nothing. */
  readonly commit?: string;
  /** Its tree and branch are gone, because it changed nothing. */
  readonly cleared?: boolean;
  /** The question to the user when an unverified change touches files that its checks rely on. */
  readonly evidence?: { readonly question: string; readonly details: readonly string[] };
};

type Known = {
  readonly graph: Pick<GraphRecord, "status" | "reason">;
  readonly nodes: readonly Pick<KnownNode, "spec" | "record">[];
  /** The run before the change. */
  readonly run: Pick<RunRecord, "status" | "reason" | "commit">;
};

export function projectRun({ graph, nodes, run }: Known): Standing {
  if (graph.status === "paused") return { status: "paused", reason: graph.reason };
  const conclude = nodes.find(({ spec }) => spec.kind === "conclude")?.record;
  if (conclude?.state === "succeeded") {
    const { status, reason } = conclude.result as Conclusion;
    return { status, reason };
  }
  if (graph.status === "cancelled") return { status: "cancelled", reason: graph.reason };
  if (conclude?.state === "failed") return { status: "failed", reason: conclude.error?.message };
  if (conclude?.state === "skipped") return { status: "unverified", reason: "its conclusion was skipped" };
  const plan = nodes.findLast(({ spec }) => spec.kind === "plan")?.record;
  if (plan !== undefined && !isDone(plan) && !isOver(nodes))
    return { status: "planning", reason: run.status === "planning" ? run.reason : undefined };
  if (nodes.some(({ spec, record }) => spec.kind === "approval" && record.state === "blocked"))
    return { status: "awaiting_approval", reason: "the plan waits for approval" };
  // A conclusion that runs after a commit is a repeated one.
  const hasFeedback = nodes.filter(({ spec }) => spec.kind === "plan").length > 1;
  const isJudgedAgain = run.commit !== undefined && isOver(nodes) && !hasFeedback;
  return { status: "running", reason: isJudgedAgain ? "judging again" : undefined };
}

/** True when only the conclusion is left. */
function isOver(nodes: Known["nodes"]): boolean {
  return nodes.every(
    ({ spec, record }) =>
      spec.kind === "conclude" || ["succeeded", "failed", "skipped", "cancelled"].includes(record.state),
  );
}
