/** The operations on the archive. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { type ChangeTx, markEntry, promoteEntry, unknownEntry } from "./change-entry.ts";
import { listHistory, type QueryPorts } from "./list-history.ts";
import { storeEntry, type StorePorts } from "./store-entry.ts";

export type HistoryPorts = QueryPorts & StorePorts;

export function historyHandlers(ports: HistoryPorts): OperationHandlers<ChangeTx, OperationsOn<"history">> {
  return {
    "history.store": (input, call) => storeEntry(input, call, ports),
    "history.list": (input, { caller }) => listHistory(input, caller, ports),
    async "history.get"({ id }, { caller }) {
      const entry = await ports.store.reader.archive.find(id, caller.project?.id);
      if (entry === undefined) throw unknownEntry(id);
      return { entry };
    },
    "history.mark": (input, call) => markEntry(input, call, ports),
    "history.promote": (input, call) => promoteEntry(input, call, ports),
  };
}
