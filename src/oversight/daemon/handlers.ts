/** Handlers of the daemon itself: what `contract/daemon.ts` and `contract/dashboard.ts` name. */
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { daemonStatus, type DaemonStatusPorts } from "./daemon-status.ts";
import { makeDashboardLink, type DashboardLinkPorts } from "./make-dashboard-link.ts";

export type DaemonHandlerPorts = DaemonStatusPorts &
  DashboardLinkPorts & {
    /** Begins to stop the daemon. */
    readonly stop: () => void;
  };

export function daemonHandlers(
  ports: DaemonHandlerPorts,
): OperationHandlers<{ readonly audit: AuditRepository }, OperationsOn<"daemon" | "dashboard">> {
  return {
    "daemon.status": () => daemonStatus(ports),
    // A pid that is not ours names a daemon that has gone: its successor must not stop for it.
    "daemon.stop": async ({ pid }) => {
      const stopping = pid === undefined || pid === ports.pid;
      if (stopping) setImmediate(ports.stop); // the answer goes out first
      return { stopping, pid: ports.pid };
    },
    "dashboard.link": (_, call) => makeDashboardLink(call, ports),
  };
}
