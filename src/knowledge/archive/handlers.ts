/** The operations on the archive. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { scopeOf } from "./archive-scope.ts";
import { briefSession } from "./brief-session.ts";
import { type ChangeTx, markEntry, promoteEntry, unknownEntry } from "./change-entry.ts";
import { compactArchive } from "./compact-archive.ts";
import { chooseSession, restoreSnapshot, takeSnapshot } from "./keep-snapshot.ts";
import { listHistory } from "./list-history.ts";
import { listSessions, type ReportPorts, sessionTimeline } from "./report-sessions.ts";
import { reportSavings, type SavingsPorts } from "./report-savings.ts";
import { similarEntries, type SimilarPorts } from "./similar-entries.ts";
import { storeEntry, type StorePorts } from "./store-entry.ts";

export type HistoryPorts = ReportPorts & SimilarPorts & SavingsPorts & StorePorts;

export function historyHandlers(ports: HistoryPorts): OperationHandlers<ChangeTx, OperationsOn<"history">> {
  const { archive } = ports.store.reader;
  return {
    "history.store": (input, call) => storeEntry(input, call, ports),
    "history.list": (input, { caller }) => listHistory(input, caller, ports),
    async "history.get"({ id }, { caller }) {
      const entry = await archive.find(id, caller.project?.id);
      if (entry === undefined) throw unknownEntry(id);
      return { entry };
    },
    "history.mark": (input, call) => markEntry(input, call, ports),
    "history.promote": (input, call) => promoteEntry(input, call, ports),
    "history.sessions": (input, { caller }) => listSessions(input, caller, ports),
    "history.timeline": (input, { caller }) => sessionTimeline(input, caller, ports),
    async "history.workflows"({ limit, ...asked }, { caller }) {
      const { own: _own, ...scope } = await scopeOf(asked, caller, ports);
      return { items: [...(await archive.workflows(scope, limit))] };
    },
    "history.similar": (input, { caller }) => similarEntries(input, caller, ports),
    "history.savings": (input, { caller }) => reportSavings(input, caller, ports),
    "history.brief": (input, { caller }) => briefSession(input, caller, ports),
    "history.compact": (input, call) => compactArchive(input, call, ports),
    "history.snapshot": (input, call) => takeSnapshot(input, call, ports),
    "history.restore": (input, call) => restoreSnapshot(input, call, ports),
    "history.use": (input, call) => chooseSession(input, call, ports),
  };
}
