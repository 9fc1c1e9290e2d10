/**
 * The Orchestrator: plain code, no model. Runs a graph with Engineers, then has it checked.
 *
 *   DAG_EXECUTE -> nodes by dependency, several at once -> VALIDATE_TASK and TESTS_READY -> DAG_STATUS
 *   TASK_HELP   -> the Architect; what only the user can say blocks its node (see help.ts)
 */
import type { Check, Message, MessageOf, NodeId, PayloadOf, PlanNode } from "../../contract/index.ts";
import {
  Blocked,
  NodeFailure,
  startDag,
  type DagNode,
  type NodeAnswer,
  type NodeRecord,
} from "../../orchestration/dag/index.ts";
import { answerMessages, type RoleHandler, Unanswered } from "../../orchestration/guide/index.ts";
import { runPolicy } from "../../orchestration/planning/index.ts";
import { isRejection } from "../../orchestration/quality/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { answerBlocked, passOnHelp } from "./help.ts";

type Ports = Pick<RunContext, "work" | "guide" | "clock" | "record" | "slot"> & { readonly random: () => number };

const minuteMs = 60_000;
/** Waiting for a slot is nobody's fault: a node's own time limit begins when it has one. */
const queueDeadlineMs = 24 * 60 * minuteMs;
const checkDeadlineMs = 15 * minuteMs;

export function createOrchestrator(ports: Ports): RoleHandler {
  return answerMessages({
    TASK_HELP: (message, signal) => passOnHelp(message, signal, ports),
    DAG_EXECUTE: async (message, signal) => ({
      type: "DAG_STATUS",
      payload: await executePlan(message, signal, ports),
    }),
  });
}

async function executePlan(
  message: MessageOf<"DAG_EXECUTE">,
  signal: AbortSignal,
  ports: Ports,
): Promise<PayloadOf<"DAG_STATUS">> {
  const { round, nodes } = message.payload;
  const planned = new Map(nodes.map((node) => [node.id as string, node]));
  const restored = restoredOf(ports.work.nodes, nodes);
  const run = startDag({
    dag: { nodes: nodes.map(asDagNode), policy: { ...runPolicy, defaultTimeoutMs: queueDeadlineMs } },
    restored,
    journal: {
      async record(entries) {
        // A worker that is told to stop does not cancel its nodes: they go on with the next worker, unless the run itself
        // was cancelled, which is recorded where that was decided.
        signal.throwIfAborted();
        await ports.record(...entries.filter((entry) => entry.kind === "transition")); // nobody adjusts this graph
      },
    },
    async dispatch(node, { attempt, parents, answers, signal: nodeSignal }) {
      // Who puts right what was found holds up a run that is nearly done.
      const free = await ports.slot(node.role, round > 0 ? "high" : "normal", nodeSignal);
      try {
        return await dispatchNode(planned.get(node.id)!, { attempt, parents, answers }, message, nodeSignal, ports);
      } finally {
        free();
      }
    },
    clock: ports.clock,
    random: ports.random,
    signal,
  });
  answerBlocked(run, restored, message, signal, ports);
  const { outcome, nodes: records } = await run.finished;
  if (outcome !== "succeeded") {
    const failed = [...records]
      .filter(([, { state }]) => state === "failed")
      .map(([id, { error }]) => `${titleOf(id, nodes)}: ${error?.message ?? "failed"}`);
    return { outcome, rejected: false, failed, checks: [] };
  }
  const checks = await check(round, message, signal, ports);
  return { outcome, rejected: checks.some(isRejection), checks: [...checks] };
}

async function check(round: number, parent: Message, signal: AbortSignal, { guide }: Ports): Promise<readonly Check[]> {
  const terms = { parent, deadlineMs: checkDeadlineMs, signal };
  const inspected = await guide.ask("orchestrator", "inspector", "VALIDATE_TASK", { round }, terms);
  const tested = await guide.ask("orchestrator", "tester", "TESTS_READY", { round }, terms);
  return [inspected.payload.check, tested.payload.check];
}

type Given = {
  readonly attempt: number;
  readonly parents: ReadonlyMap<string, unknown>;
  readonly answers: readonly NodeAnswer[];
};

async function dispatchNode(
  node: PlanNode,
  { attempt, parents, answers }: Given,
  parent: Message,
  signal: AbortSignal,
  { guide }: Ports,
): Promise<unknown> {
  const answer = await guide
    .ask(
      "orchestrator",
      "engineer",
      "TASK_DISPATCH",
      {
        node,
        attempt,
        parents: Object.fromEntries(parents),
        ...(answers.length === 0
          ? {}
          : { answers: answers.map(({ question, answer }) => ({ question, answer: String(answer) })) }),
      },
      { parent, deadlineMs: runPolicy.defaultTimeoutMs, signal },
    )
    .catch((error: unknown) => {
      if (error instanceof Unanswered) throw new NodeFailure({ class: "timeout", message: error.message });
      throw error;
    });
  if (answer.type === "TASK_COMPLETE") return answer.payload;
  if (answer.type === "TASK_HELP") {
    const { question, forUser: { deadlineAt, defaultAnswer } = {} } = answer.payload;
    throw new Blocked({
      on: "clarification",
      question,
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
      ...(defaultAnswer === undefined ? {} : { defaultAnswer }),
    });
  }
  const { reason, class: kind, retryAfterMs } = answer.payload;
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
