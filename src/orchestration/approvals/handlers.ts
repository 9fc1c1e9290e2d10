/** The operations on what waits for a person. */
import { type OperationHandlers, type OperationsOn, overProjects } from "../../platform/operations/index.ts";
import { decideApproval, type DecidePorts, type DecideTx, viewOf } from "./decide-approval.ts";

export function approvalHandlers(ports: DecidePorts): OperationHandlers<DecideTx, OperationsOn<"approval">> {
  return {
    "approval.list": async ({ run, all, limit }, call) => {
      const project = overProjects(call.caller, all).project?.id;
      const waiting = await ports.store.reader.approvals.list({
        graph: run,
        project,
        waitingOnly: run === undefined,
      });
      const questions = await Promise.all(waiting.map((approval) => viewOf(approval, ports)));
      const others =
        run === undefined ? [...(await ports.holds.waiting(project)), ...ports.installs.waiting(project)] : [];
      return { items: [...questions, ...others].sort((a, b) => a.createdAt - b.createdAt).slice(0, limit) };
    },
    "approval.decide": (input, call) => decideApproval(input, call, ports),
  };
}
