/** The operations on what waits for a person. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { decideApproval, type DecidePorts, type DecideTx } from "./decide-approval.ts";

export function approvalHandlers(ports: DecidePorts): OperationHandlers<DecideTx, OperationsOn<"approval">> {
  return {
    "approval.list": async ({ run, limit }, { caller }) => {
      const waiting = await ports.store.reader.approvals.list({
        graph: run,
        project: caller.project?.id,
        waitingOnly: run === undefined,
      });
      return { items: waiting.slice(0, limit) };
    },
    "approval.decide": (input, call) => decideApproval(input, call, ports),
  };
}
