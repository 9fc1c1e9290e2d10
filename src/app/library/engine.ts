/**
 * `sylk/engine`: the runtime inside your own process, without a daemon: sessions, bus, pool, graphs.
 *
 *   openEngine({ directory, carryOut }) -> lock -> store -> engine -> interrupted graphs continue -> … -> close
 *
 * The directory is laid out like a daemon's home and locked by the same lock: of all daemons and engines one at a time has it.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { composePool } from "../daemon/pool.ts";
import type { ProjectId } from "../../contract/index.ts";
import { ensureProjectAt, type ProjectRepository, sqliteProjects } from "../../coordination/registry/index.ts";
import { NodeFailure } from "../../orchestration/dag/index.ts";
import { sqliteApprovals } from "../../orchestration/approvals/index.ts";
import { sqliteDags } from "../../orchestration/graphs/index.ts";
import { createProcessRecorder, sqliteProcesses } from "../../orchestration/executors/index.ts";
import {
  callProgram,
  type CarryOut,
  createEngine,
  type Engine as EngineOf,
  type EngineDags,
  type EngineTx as BareTx,
  programDags,
} from "../../orchestration/runtime/index.ts";
import {
  type PartFactories,
  type SessionPart,
  type SessionWork,
  sqliteSessions,
} from "../../orchestration/sessions/index.ts";
import { type Clock, systemClock } from "../../platform/clock/index.ts";
import { resolveSettings, type Settings } from "../../platform/config/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { homePaths } from "../../platform/home/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { patientPool } from "../../platform/pool/index.ts";
import { lockHome, openSqliteStore, readMigrations } from "../../platform/store/index.ts";

export type EngineTx = BareTx & { readonly projects: ProjectRepository };
export type EngineOptions<Parts> = {
  /** Created if it does not exist. */
  readonly directory: string;
  /** Over the defaults, for example `{ "pool.workers": 4 }`. */
  readonly settings?: Partial<Settings>;
  /** Executes a node of a graph. Without it, graphs cannot run. */
  readonly carryOut?: CarryOut;
  /** Agents whose topics every session has from its start. */
  readonly agents?: readonly string[];
  /** Parts that every session gets: saved, restored and closed with it. */
  readonly parts?: PartFactories<Parts>;
  /** Work that pauses and resumes with a session. */
  readonly work?: readonly SessionWork<EngineTx>[];
  readonly clock?: Clock;
  /** Receives errors of bus subscribers and of graphs that could not continue. Everything else continues. */
  readonly onError?: (error: unknown) => void;
};
export type Engine<Parts extends Record<string, SessionPart> = Record<string, SessionPart>> = Omit<
  EngineOf<EngineTx, Parts>,
  "dags"
> & {
  readonly dags: EngineDags;
  /** The project of all sessions in this directory. */
  readonly project: ProjectId;
};
export { DomainError } from "../../contract/errors.ts";
export { Blocked, NodeFailure, type DagRun, type NodeRecord } from "../../orchestration/dag/index.ts";
export type { CarryOut, DagResult, EngineDags, GraphTerms, NodeCall } from "../../orchestration/runtime/index.ts";
export type { SessionContext, SessionMessage, SessionPart, SessionWork } from "../../orchestration/sessions/index.ts";
export type { Lane, Pool } from "../../platform/pool/index.ts";

export async function openEngine<Parts extends Record<string, SessionPart> = Record<string, SessionPart>>(
  options: EngineOptions<Parts>,
): Promise<Engine<Parts>> {
  const { clock = systemClock(), agents = [], work = [], onError = () => {} } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const paths = homePaths({ SYLK_HOME: directory });
  const lock = lockHome(paths, "engine");
  try {
    const settings = { ...(await resolveSettings({ env: {}, flags: {} })).settings, ...options.settings };
    const ids = randomIds(clock);
    const store = openSqliteStore<EngineTx>({
      file: paths.database,
      migrations: readMigrations(),
      repositories: {
        events: sqliteEvents({ clock, ids, onAppended: () => {} }),
        projects: sqliteProjects,
        sessions: sqliteSessions,
        dags: sqliteDags,
        approvals: sqliteApprovals,
        processes: sqliteProcesses,
      },
    });
    const { id: project } = await ensureProjectAt({ path: directory, name: "engine" }, { store, clock, ids });
    const pool = composePool(settings, clock);
    const log: Pick<Log, "error"> = {
      error(event, fields) {
        onError(new Error(event, { cause: fields }));
        return event;
      },
    };
    const engine = createEngine<EngineTx, Parts>({
      store,
      clock,
      ids,
      agents,
      work,
      pool,
      onSubscriberError: onError,
      log,
      carryOut: callProgram(options.carryOut ?? refuseToCarryOut, patientPool(pool, clock)),
      // The engine does not know of processes that its nodes start.
      processes: createProcessRecorder({ store, endGroup: async () => {}, log }),
      random: Math.random, // clock-exempt: jitter of retries
      limits: { max: settings["sessions.max"], maxWaiting: settings["sessions.maxWaiting"] },
      onBlur: settings["sessions.onBlur"],
      parts: options.parts ?? ({} as PartFactories<Parts>),
    });
    const end = async (): Promise<void> => {
      try {
        await engine.close();
      } finally {
        store.close();
        lock.release();
      }
    };
    for (const id of await store.reader.sessions.openIds()) await engine.sessions.context(id).catch(onError);
    await engine.dags.resumeAll({ autoResume: true });
    const dags = programDags({ store, clock, ids, log, project, tree: directory, host: engine.dags });
    let ended: Promise<void> | undefined;
    return { ...engine, dags, project, close: () => (ended ??= end()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function refuseToCarryOut(): Promise<never> {
  throw new NodeFailure({
    class: "user-fixable",
    message: "this engine cannot run nodes; pass carryOut to openEngine",
  });
}
