/** The operations on the archive. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { listHistory } from "./list-history.ts";

type HistoryPorts = Parameters<typeof listHistory>[2];

export function historyHandlers(ports: HistoryPorts): OperationHandlers<unknown, OperationsOn<"history">> {
  return { "history.list": (input, { caller }) => listHistory(input, caller, ports) };
}
