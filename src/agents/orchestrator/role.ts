/**
 * The Orchestrator: plain code, no model. Runs a graph with Engineers, then has it checked.
 *
 *   DAG_EXECUTE -> nodes by dependency, several at once -> VALIDATE_TASK and TESTS_READY -> DAG_STATUS
 */
import type { Check, Finding, Message, NodeId, PlanNode } from "../../contract/index.ts";
import { NodeFailure, runDag, type DagNode, type NodeRecord } from "../../orchestration/dag/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import { runPolicy } from "../../orchestration/planning/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";

type Ports = Pick<RunContext, "work" | "guide" | "clock" | "record"> & { readonly random: () => number };

const minuteMs = 60_000;
const engineerDeadlineMs = 60 * minuteMs;
const checkDeadlineMs = 15 * minuteMs;

export function createOrchestrator(ports: Ports): RoleHandler {
  return async (message, signal) => {
    const { round, nodes } = message.payload as { round: number; nodes: readonly PlanNode[] };
    const { outcome, nodes: records } = await runDag({
      dag: { nodes: nodes.map(asDagNode), policy: runPolicy },
      restored: restoredOf(ports.work.nodes, nodes),
      journal: {
        async record(entries) {
          // A worker that is told to stop does not cancel its nodes: they go on with the next worker, unless the run itself
          // was cancelled, which is recorded where that was decided.
          signal.throwIfAborted();
          await ports.record(...entries.filter((entry) => entry.kind === "transition")); // nobody adjusts this graph
        },
      },
      dispatch: (node, { attempt, parents, signal: nodeSignal }) =>
        dispatchNode(node, attempt, parents, message, nodeSignal, ports),
      clock: ports.clock,
      random: ports.random,
      signal,
    });
    if (outcome !== "succeeded") {
      const failed = [...records]
        .filter(([, { state }]) => state === "failed")
        .map(([id, { error }]) => `${titleOf(id, nodes)}: ${error?.message ?? "failed"}`);
      return { type: "DAG_STATUS", payload: { outcome, rejected: false, failed, checks: [], findings: [] } };
    }
    const checks = await check(round, message, signal, ports);
    return { type: "DAG_STATUS", payload: { outcome, ...checks } };
  };
}

async function check(
  round: number,
  parent: Message,
  signal: AbortSignal,
  { guide }: Ports,
): Promise<{ readonly rejected: boolean; readonly checks: Check[]; readonly findings: Finding[] }> {
  const terms = { parent, deadlineMs: checkDeadlineMs, signal };
  const inspected = await guide.ask("orchestrator", "inspector", "VALIDATE_TASK", { round }, terms);
  const tested = await guide.ask("orchestrator", "tester", "TESTS_READY", { round }, terms);
  const reports = [inspected, tested].map(
    ({ payload }) => payload as unknown as { check: Check; findings: readonly Finding[] },
  );
  return {
    rejected: reports.some(({ findings }) => findings.length > 0),
    checks: reports.map(({ check }) => check),
    findings: reports.flatMap(({ findings }) => [...findings]),
  };
}

async function dispatchNode(
  node: DagNode,
  attempt: number,
  parents: ReadonlyMap<string, unknown>,
  parent: Message,
  signal: AbortSignal,
  { guide }: Ports,
): Promise<unknown> {
  const answer = await guide.ask(
    "orchestrator",
    "engineer",
    "TASK_DISPATCH",
    { node, attempt, parents: Object.fromEntries(parents) },
    { parent, deadlineMs: engineerDeadlineMs, signal },
  );
  if (answer.type === "TASK_COMPLETE") return answer.payload;
  const {
    reason,
    class: kind,
    retryAfterMs,
  } = answer.payload as { reason: string; class: "permanent"; retryAfterMs?: number };
  throw new NodeFailure({ class: kind, message: reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** What an earlier worker of this run recorded about exactly these nodes. */
function restoredOf(known: RunContext["work"]["nodes"], wanted: readonly PlanNode[]): ReadonlyMap<string, NodeRecord> {
  const ids = new Set<NodeId>(wanted.map(({ id }) => id));
  return new Map(
    known.flatMap((node) => (ids.has(node.id) && node.record !== undefined ? [[node.id, node.record] as const] : [])),
  );
}

function asDagNode({ id, role, title, prompt, dependsOn }: PlanNode): DagNode {
  return { id, role, title, prompt, dependsOn };
}

function titleOf(id: string, nodes: readonly PlanNode[]): string {
  return nodes.find((node) => node.id === id)?.title ?? id;
}
