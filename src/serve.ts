/**
 * One daemon's life: lock, settings, engine, surfaces; then everything back in reverse order.
 *
 *   lock the home -> open the store -> listen on socket and loopback -> record -> … -> SIGTERM or daemon.stop -> close
 *
 * The lock comes first and is cheap: of many daemons started at once all but one leave before they load anything heavy.
 */
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError } from "./contract/errors.ts";
import { takeProcessLock } from "./platform/store/index.ts";
import { ensureUserToken, removeDaemonRecord, writeDaemonRecord } from "./platform/home/index.ts";
import type { RunningDaemon, ServeTerms } from "./surfaces/cli/index.ts";

/** Resolves when the daemon answers; refuses when another one holds the home. */
export async function serve(terms: ServeTerms): Promise<RunningDaemon> {
  const { home, lock: lockFile } = terms.paths;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(lockFile);
  if (lock === undefined)
    throw new DomainError("daemon.already-running", `A daemon already serves ${home}; "sylk status" shows it`, {
      details: { home },
    });
  try {
    return await openDaemon(terms, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openDaemon({ paths, env, flags }: ServeTerms, releaseLock: () => void): Promise<RunningDaemon> {
  const { compose, createDaemonLog, createHttpServer, createSettingsOfTree, systemClock, version } =
    await import("./compose.ts");
  const clock = systemClock();
  const settingsOfTree = createSettingsOfTree({ userFile: paths.config, env, flags });
  const settings = await settingsOfTree(undefined);
  const { log, closeLog } = createDaemonLog(paths.logs, settings, clock);
  const startedAt = clock.now();
  const stopping = Promise.withResolvers<void>();
  const engine = compose({ paths, settings, settingsOfTree, clock, log, startedAt, onStop: stopping.resolve });
  await engine.trustUserToken(ensureUserToken(paths.token));
  const http = await createHttpServer({
    ...engine,
    onDefect: (error, where) => log.error("http.defect", { error, where }),
  });
  mkdirSync(dirname(paths.socket), { recursive: true, mode: 0o700 });
  // We hold the lock, so a socket that is still there was left by a daemon that is gone.
  rmSync(paths.socket, { force: true });
  await http.listenSocket(paths.socket);
  const url = settings["http.enabled"] ? `http://127.0.0.1:${await http.listenLoopback(settings["http.port"])}` : null;
  engine.announce(url);
  writeDaemonRecord(paths.record, { pid: process.pid, version, socket: paths.socket, url, startedAt });
  log.info("daemon.started", { pid: process.pid, home: paths.home, socket: paths.socket, url });

  async function stopWhenAsked(): Promise<void> {
    await stopping.promise;
    log.info("daemon.stopping", { pid: process.pid });
    await http.close();
    await engine.close();
    removeDaemonRecord(paths.record);
    rmSync(paths.socket, { force: true });
    log.info("daemon.stopped", { pid: process.pid });
    closeLog();
    releaseLock();
  }
  return { url, stopped: stopWhenAsked(), stop: stopping.resolve };
}
