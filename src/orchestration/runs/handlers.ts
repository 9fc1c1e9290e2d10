/** The handlers of `run.*`. */
import { type Caller, DomainError, type OutputOf, type RunId } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { auditOf } from "../approvals/index.ts";
import {
  adjustGraph,
  answerNode,
  cancelGraph,
  type GraphRecord,
  pauseGraph,
  resumeGraph,
  retryNode,
  skipNode,
} from "../graphs/index.ts";
import { runAdjustment } from "./adjust-run.ts";
import { diffOfRun, discardRun, mergeRun } from "./change-of-run.ts";
import { clearRuns } from "./clear-runs.ts";
import { giveFeedback } from "./give-feedback.ts";
import { findNode, openStatuses, refuseClosed, refuseSkipByAgent, refuseUnless, underWay } from "./guard-run.ts";
import { listRuns } from "./list-runs.ts";
import { type KnownNode, nodesOf } from "./run-nodes.ts";
import { raiseBudget } from "./raise-budget.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";
import { findRun, viewRun } from "./run-view.ts";
import { startRun } from "./start-run.ts";
import type { RunRecord } from "./store.ts";

type Viewed = OutputOf<"run.get">;
type Known = { readonly run: RunRecord; readonly graph: GraphRecord; readonly nodes: readonly KnownNode[] };

export function runHandlers(ports: RunPorts): OperationHandlers<RunRepositories, OperationsOn<"run">> {
  const { reader } = ports.store;
  const show = async (id: RunId, caller: Caller): Promise<Viewed> => ({
    run: await viewRun(await findRun(id, caller, reader.runs), reader),
  });
  const on = async (id: RunId, caller: Caller, change: (known: Known) => Promise<void>): Promise<Viewed> => {
    const run = await findRun(id, caller, reader.runs);
    const nodes = await nodesOf(id, reader.dags);
    try {
      await change({ run, graph: (await reader.dags.find(id))!, nodes });
    } catch (error) {
      throw withTitles(error, nodes);
    }
    return show(id, caller);
  };
  return {
    "run.start": (input, call) => startRun(input, call, ports),
    "run.list": (input, { caller }) => listRuns(input, caller, ports),
    "run.get": ({ id }, { caller }) => show(id, caller),
    "run.interrupt": ({ id }, { caller }) =>
      on(id, caller, async ({ run, graph }) => {
        refuseUnless(run, underWay, "interrupted");
        await pauseGraph(graph, { abort: true, reason: 'interrupted; continue with "sylk resume"' }, ports);
        await ports.host.settled(id);
      }),
    "run.pause": ({ id, abort }, { caller }) =>
      on(id, caller, async ({ run, graph }) => {
        refuseUnless(run, underWay, "paused");
        await pauseGraph(graph, { abort }, ports);
        if (abort) await ports.host.settled(id);
      }),
    "run.resume": ({ id }, { caller }) =>
      on(id, caller, async ({ run, graph }) => {
        refuseUnless(run, ["paused", "blocked"], "resumed");
        refuseClosed(run);
        await resumeGraph(graph, ports);
      }),
    "run.cancel": ({ id }, { caller }) =>
      on(id, caller, async ({ run, graph }) => {
        refuseUnless(run, openStatuses, "cancelled");
        await cancelGraph(graph, "cancelled; its changes stay on its branch", ports);
      }),
    "run.retry": ({ id, node }, { caller }) =>
      on(id, caller, async ({ run, graph, nodes }) => {
        refuseClosed(run);
        await retryNode(graph, findNode(run, node, nodes).id, ports);
      }),
    "run.skip": ({ id, node, reason, treatAsDone }, { caller }) =>
      on(id, caller, async ({ run, graph, nodes }) => {
        refuseUnless(run, openStatuses, "changed");
        const found = findNode(run, node, nodes);
        refuseSkipByAgent(found, caller);
        await skipNode(graph, { node: found.id, reason, treatAsDone }, ports);
      }),
    "run.answer": ({ id, node, decision, reason }, { caller }) =>
      on(id, caller, async ({ run, graph, nodes }) => {
        refuseUnless(run, openStatuses, "answered");
        const { id: asking } = findNode(run, node, nodes);
        const asked = await reader.approvals.list({ graph: id, project: undefined, waitingOnly: true });
        await answerNode(graph, { node: asking, decision, reason }, caller, ports);
        const approval = await reader.approvals.find(asked.find((one) => one.node === asking)!.id);
        await ports.store.transact(id, (tx) => tx.audit.append(auditOf(approval!, caller, run.project)));
        if (decision === "reject") await ports.host.over(id);
      }),
    "run.adjust": ({ id, nodes: wanted, remove, expectedVersion }, { caller }) =>
      on(id, caller, async ({ run, graph, nodes }) => {
        refuseUnless(run, openStatuses, "adjusted");
        const adjustment = runAdjustment({ nodes: wanted, remove }, { run, nodes, caller }, ports.ids);
        await adjustGraph(graph, adjustment, expectedVersion, ports);
      }),
    "run.budget": (input, { caller }) => on(input.id, caller, () => raiseBudget(input, caller, ports)),
    "run.feedback": ({ id, ...given }, { caller }) =>
      on(id, caller, (known) => giveFeedback(given, known, caller, ports)),
    "run.diff": ({ id }, { caller }) => diffOfRun(id, caller, ports),
    "run.merge": (input, call) => mergeRun(input, call, ports),
    "run.discard": ({ id }, call) => discardRun(id, call, ports),
    "run.clear": (_input, call) => clearRuns(call.caller, (id) => discardRun(id, call, ports), ports),
  };
}

/** The engine names nodes by their ids; people know them by their titles. */
function withTitles(error: unknown, nodes: readonly KnownNode[]): unknown {
  if (!(error instanceof DomainError)) return error;
  let { message } = error;
  for (const { id, spec } of nodes) message = message.replaceAll(JSON.stringify(id), JSON.stringify(spec.title));
  const { code, details } = error;
  return message === error.message ? error : new DomainError(code, message, { details, cause: error });
}
