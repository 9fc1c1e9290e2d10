/**
 * `sylk/engine`: the runtime inside your own process, without a daemon: sessions, bus, pool, graphs.
 *
 *   openEngine({ directory }) -> lock -> store -> engine -> … -> close: everything saved, lock free
 *
 * The directory is laid out like a daemon's home and locked by the same lock: of all daemons and engines one at a time has it.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { composePool } from "./compose-pool.ts";
import { DomainError } from "./contract/errors.ts";
import type { ProjectId } from "./contract/index.ts";
import { type ProjectRepository, sqliteProjects } from "./coordination/registry/index.ts";
import { createEngine, type Engine as EngineOf } from "./orchestration/engine/index.ts";
import {
  type PartFactories,
  type SessionPart,
  type SessionTx,
  type SessionWork,
  sqliteSessions,
} from "./orchestration/sessions/index.ts";
import { type Clock, systemClock } from "./platform/clock/index.ts";
import { resolveSettings, type Settings } from "./platform/config/index.ts";
import { sqliteEvents } from "./platform/event-log/index.ts";
import { homePaths } from "./platform/home/index.ts";
import { randomIds } from "./platform/ids/index.ts";
import { openSqliteStore, readMigrations, takeProcessLock } from "./platform/store/index.ts";

export type EngineTx = SessionTx & { readonly projects: ProjectRepository };
export type EngineOptions<Parts> = {
  /** Made if it is not there. */
  readonly directory: string;
  /** Over the defaults, for example `{ "pool.workers": 4 }`. */
  readonly settings?: Partial<Settings>;
  /** Agents whose topics every session has from its start. */
  readonly agents?: readonly string[];
  /** What every session is to have of its own: saved, taken up and ended with it. */
  readonly parts?: PartFactories<Parts>;
  /** What is to stop and go on with a session. */
  readonly work?: readonly SessionWork<EngineTx>[];
  readonly clock?: Clock;
  readonly onSubscriberError?: (error: unknown) => void;
};
export type Engine<Parts extends Record<string, SessionPart> = Record<string, SessionPart>> = EngineOf<
  EngineTx,
  Parts
> & {
  /** What the sessions of this directory belong to. */
  readonly project: ProjectId;
};
export { DomainError } from "./contract/errors.ts";
export { NodeFailure, type Dag, type DagNode, type DagOutcome, type DagRun } from "./orchestration/dag/index.ts";
export type { SessionContext, SessionMessage, SessionPart, SessionWork } from "./orchestration/sessions/index.ts";
export type { Lane, Pool } from "./platform/pool/index.ts";

export async function openEngine<Parts extends Record<string, SessionPart> = Record<string, SessionPart>>(
  options: EngineOptions<Parts>,
): Promise<Engine<Parts>> {
  const { clock = systemClock(), agents = [], work = [], onSubscriberError = () => {} } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const directory = realpathSync(options.directory);
  const paths = homePaths({ SYLK_HOME: directory });
  const lock = takeProcessLock(paths.lock);
  if (lock === undefined)
    throw new DomainError(
      "daemon.already-running",
      `Another process, a daemon or an engine, has ${directory}; close it first, or choose another directory`,
      { details: { home: directory } },
    );
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
      },
    });
    const project = await store.transact("project", async (tx) => {
      const known = await tx.projects.findByPath(directory);
      const id = known?.id ?? ids.next("prj");
      if (known === undefined) await tx.projects.insert({ id, name: "engine", path: directory }, clock.now());
      return id;
    });
    const engine = createEngine<EngineTx, Parts>({
      store,
      clock,
      ids,
      agents,
      work,
      onSubscriberError,
      pool: composePool(settings, clock),
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
    let ended: Promise<void> | undefined;
    return { ...engine, project, close: () => (ended ??= end()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}
