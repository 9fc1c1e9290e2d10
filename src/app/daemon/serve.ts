/**
 * The life cycle of a daemon: lock, settings, daemon, surfaces; it stops them in reverse order.
 *
 *   lock the home -> open the store -> listen on socket and loopback -> record -> … -> SIGTERM or daemon.stop -> close
 *
 * The lock comes first and is cheap: if many daemons start at once, all but one exit before they load heavy modules.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockHome } from "../../platform/store/index.ts";
import {
  checkHome,
  clearSocketPlace,
  ensureUserToken,
  removeDaemonRecord,
  writeDaemonRecord,
  writeGuards,
  writeServedBy,
} from "../../platform/home/index.ts";
import { copyInChild, spawnWorker } from "./child-processes.ts";
import type { RunningDaemon, ServeTerms } from "../../surfaces/cli/index.ts";

/** How long a stopping daemon waits for clients to read their last answer. */
const drainMs = 2_000;

/** Resolves when the daemon answers. Throws when another daemon has locked the home. */
export async function serve(terms: ServeTerms): Promise<RunningDaemon> {
  const { home } = terms.paths;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  checkHome(home);
  const lock = lockHome(terms.paths, "daemon");
  try {
    terms.onLocked?.();
    return await openDaemon(terms, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openDaemon({ paths, env, flags }: ServeTerms, releaseLock: () => void): Promise<RunningDaemon> {
  const {
    buildDaemon,
    createDaemonLog,
    createHttpServer,
    consentsIn,
    createSettingsOfTree,
    awakeClock,
    protocol,
    replayOverrides,
    systemClock,
    version,
  } = await import("./build-daemon.ts");
  // Time in which the daemon could not run (suspended, a sleeping machine) does not count as an agent's silence.
  const clock = awakeClock(systemClock());
  const settingsOfTree = createSettingsOfTree({
    userFile: paths.config,
    env,
    flags,
    consents: consentsIn(paths.trustedSettings),
  });
  const settings = await settingsOfTree(undefined);
  const { log, redactor, logTrouble, closeLog } = createDaemonLog(paths.logs, settings, clock);
  const startedAt = clock.now();
  const stopping = Promise.withResolvers<void>();
  const daemon = buildDaemon({
    paths,
    settings,
    settingsOfTree,
    clock,
    log,
    redactor,
    logTrouble,
    startedAt,
    env,
    spawnWorker: (workerEnv) => spawnWorker(paths.logs, workerEnv),
    copyStore: (to) => copyInChild(paths.database, to, env),
    onStop: stopping.resolve,
  });
  const userToken = ensureUserToken(paths.token);
  await daemon.trustUserToken(userToken);
  await daemon.recordRestore();
  await daemon.ingestOutcomes();
  await daemon.endLeftovers();
  const hooks = { ...daemon, userCredentials: () => ({ token: userToken }) };
  const overrides = join(paths.logs, "overrides");
  await replayOverrides(overrides, {
    ...hooks,
    onFailed: (file, reason) => log.warn("override.not-entered", { file, reason }),
  }).catch((error: unknown) => log.warn("overrides.unreadable", { error, overrides }));
  const http = await createHttpServer({
    ...hooks,
    onDefect: (error, where) => log.error("http.defect", { error, where }),
  });
  clearSocketPlace(paths);
  const url = settings["http.enabled"] ? `http://127.0.0.1:${await http.listenLoopback(settings["http.port"])}` : null;
  daemon.announce(url);
  writeServedBy(paths.servedBy, version);
  writeGuards(paths.guards, { ...daemon.guards, nudges: settings.nudges });
  writeDaemonRecord(paths.record, { pid: process.pid, version, protocol, socket: paths.socket, url, startedAt });
  // The socket comes last, so that a client that reaches it finds the record of this daemon.
  await http.listenSocket(paths.socket);
  await daemon.resumeAll();
  log.info("daemon.started", { pid: process.pid, home: paths.home, socket: paths.socket, url });

  async function stopWhenAsked(): Promise<void> {
    await stopping.promise;
    log.info("daemon.stopping", { pid: process.pid });
    await http.close(new Promise((resolve) => clock.after(drainMs, resolve)));
    await daemon.close();
    removeDaemonRecord(paths.record);
    rmSync(paths.socket, { force: true });
    log.info("daemon.stopped", { pid: process.pid });
    closeLog();
    releaseLock();
  }
  return { url, stopped: stopWhenAsked(), stop: stopping.resolve };
}
