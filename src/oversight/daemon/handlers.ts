/** Handlers of the daemon itself: what `contract/daemon.ts` and `contract/dashboard.ts` name. */
import type { Examination } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { sharedWhileRunning } from "../../platform/shared-while-running.ts";
import { daemonStatus, type DaemonStatusPorts } from "./daemon-status.ts";
import { makeDashboardLink, type DashboardLinkPorts } from "./make-dashboard-link.ts";

export type DaemonHandlerPorts = DaemonStatusPorts &
  DashboardLinkPorts & {
    /** Begins to stop the daemon. */
    readonly stop: () => void;
    /** What `sylk doctor` finds in this folder; without one, in none of the projects. */
    readonly examine: (folder: string | undefined) => Promise<Examination>;
  };

export function daemonHandlers(
  ports: DaemonHandlerPorts,
): OperationHandlers<{ readonly audit: AuditRepository }, OperationsOn<"daemon" | "dashboard">> {
  const examine = sharedWhileRunning(ports.examine);
  return {
    "daemon.status": () => daemonStatus(ports),
    "daemon.examine": (_, { caller }) => examine(caller.project?.path),
    // A pid that is not ours names a daemon that has gone: its successor must not stop for it.
    "daemon.stop": async ({ pid }) => {
      const stopping = pid === undefined || pid === ports.pid;
      if (stopping) setImmediate(ports.stop); // the answer goes out first
      return { stopping, pid: ports.pid };
    },
    "dashboard.link": (_, call) => makeDashboardLink(call, ports),
  };
}
