/** The daemon about itself: its address, the state of its parts, and for each trouble what to do. */
import type { DaemonStatus } from "../../contract/index.ts";
import type { DomainError } from "../../contract/errors.ts";
import { type HealthTracker, incidentView, storeTrouble } from "../health/index.ts";

export type DaemonStatusPorts = Pick<DaemonStatus, "pid" | "version" | "protocol" | "home" | "socket" | "startedAt"> & {
  readonly url: () => string | null;
  readonly store: { readonly probe: () => Promise<void> };
  readonly database: string;
  readonly tracker: Pick<HealthTracker, "incidents">;
  /** How many agents are alive. */
  readonly liveAgents: () => Promise<number>;
  /** How many sessions have work under way. */
  readonly busySessions: () => Promise<number>;
  readonly pool: () => NonNullable<DaemonStatus["pool"]>;
  /** Why the home is no longer this daemon's: it is ending. */
  readonly whyHomeLost: () => string | undefined;
  /** Notices that no person got. */
  readonly noticeFailures: () => Promise<{ readonly count: number; readonly last: string | undefined }>;
  /** Why the log loses lines, while it does. */
  readonly logTrouble: () => { readonly reason: string; readonly lostLines: number } | undefined;
};
type Troubles = DaemonStatus["troubles"];

export async function daemonStatus(ports: DaemonStatusPorts): Promise<DaemonStatus> {
  const { pid, version, protocol, home, socket, startedAt, database } = ports;
  const trouble = await storeTrouble(ports.store);
  const incidents = ports.tracker.incidents();
  const { limit, running, waiting } = ports.pool();
  return {
    running: true,
    pid,
    version,
    protocol,
    home,
    socket,
    url: ports.url(),
    store: {
      file: database,
      ...(trouble === undefined ? { state: "ok" } : { state: "unavailable", reason: trouble.message }),
    },
    agents: await ports.liveAgents(),
    sessions: await ports.busySessions(),
    pool: { limit, running, waiting },
    incidents: incidents.length,
    unresolved: incidents.map((incident) => incidentView(incident).summary),
    startedAt,
    troubles: [
      ...troubleOfHome(ports),
      ...troubleOfStore(trouble),
      ...troubleOfLog(ports.logTrouble()),
      ...(trouble === undefined ? troubleOfNotifier(await ports.noticeFailures()) : []),
    ],
  };
}

function troubleOfHome({ pid, whyHomeLost }: DaemonStatusPorts): Troubles {
  const reason = whyHomeLost();
  if (reason === undefined) return [];
  const what = `The daemon (pid ${pid}) lost its home: ${reason}. It is ending and acknowledges nothing more`;
  return [{ part: "home", what, fix: '"sylk up" waits for its end and starts another one' }];
}

function troubleOfStore(error: DomainError | undefined): Troubles {
  if (error === undefined) return [];
  const what = `Coordination is not enforced: changes are refused (no claim, reservation or run is granted); reads still work. ${error.message}`;
  return [{ part: "store", what, fix: "do what it says; the daemon recovers by itself" }];
}

function troubleOfLog(trouble: ReturnType<DaemonStatusPorts["logTrouble"]>): Troubles {
  if (trouble === undefined) return [];
  const what = `The log cannot be written (${trouble.reason}); ${trouble.lostLines} lines are lost so far. Everything else works`;
  return [{ part: "log", what, fix: "make room for it, or give the log's folder back to this user" }];
}

function troubleOfNotifier({ count, last }: Awaited<ReturnType<DaemonStatusPorts["noticeFailures"]>>): Troubles {
  if (count === 0) return [];
  const what = `${count === 1 ? "One notice" : `${count} notices`} to you could not be sent. The last reason: ${last}`;
  return [{ part: "notifier", what, fix: 'correct "notify" in the config file; "sylk approvals" shows what waits' }];
}
