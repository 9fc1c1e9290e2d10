/** The daemon about itself: where it listens, how its parts do, what does not work and what to do about it. */
import { type DaemonStatus, DomainError } from "../../contract/index.ts";
import type { Parts, Terms } from "./parts.ts";
import { incidentView } from "../../oversight/health/index.ts";
import type { FileSink } from "../../platform/log/index.ts";
import { protocol, version } from "../../platform/version.ts";

/** What the daemon is and how it does: the answer to `daemon.status`. */
export async function daemonStatus(
  { store, liveness, health, pool }: Parts,
  { paths, startedAt, logTrouble }: Terms,
  url: string | null,
): Promise<DaemonStatus> {
  const storeTrouble = await troubleFrom(store.probe());
  const agents = await store.reader.agents.list({ project: undefined, includeGone: false });
  const incidents = health.incidents();
  const { limit, running, waiting } = pool.metrics();
  const underWay = await store.reader.runs.withStatus([
    "planning",
    "running",
    "awaiting_approval",
    "paused",
    "blocked",
  ]);
  return {
    running: true,
    pid: process.pid,
    version,
    protocol,
    home: paths.home,
    socket: paths.socket,
    url,
    store: {
      file: paths.database,
      ...(storeTrouble === undefined ? { state: "ok" } : { state: "unavailable", reason: storeTrouble.message }),
    },
    agents: agents.filter((agent) => liveness.statusOf(agent) !== "offline").length,
    sessions: new Set(underWay.map(({ session }) => session)).size,
    pool: { limit, running, waiting },
    incidents: incidents.length,
    unresolved: incidents.map((incident) => incidentView(incident).summary),
    startedAt,
    troubles: [...troubleOfStore(storeTrouble), ...troubleOfLog(logTrouble())],
  };
}

async function troubleFrom(probe: Promise<void>): Promise<DomainError | undefined> {
  try {
    await probe;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function troubleOfStore(error: DomainError | undefined): DaemonStatus["troubles"] {
  if (error === undefined) return [];
  const what = `Coordination is not enforced: changes are refused (no claim, reservation or run is given out); reading goes on. ${error.message}`;
  return [{ part: "store", what, fix: "do what it says; the daemon goes on by itself" }];
}

function troubleOfLog(trouble: ReturnType<FileSink["trouble"]>): DaemonStatus["troubles"] {
  if (trouble === undefined) return [];
  const what = `The log cannot be written (${trouble.reason}); ${trouble.lostLines} lines are lost so far. Everything else works`;
  return [{ part: "log", what, fix: "make room for it, or give the log's folder back to this user" }];
}
