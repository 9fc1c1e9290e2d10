/**
 * One daemon's life: lock, settings, engine, surfaces; then everything back in reverse order.
 *
 *   lock the home -> open the store -> listen on socket and loopback -> record -> … -> SIGTERM or daemon.stop -> close
 *
 * The lock comes first and is cheap: of many daemons started at once all but one leave before they load anything heavy.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, lstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DomainError, fromErrorBody, type ErrorBody } from "../../contract/errors.ts";
import { type StoreCopy, storeUnavailable, takeProcessLock } from "../../platform/store/index.ts";
import {
  checkHome,
  checkSocketFolder,
  ensureUserToken,
  removeDaemonRecord,
  writeDaemonRecord,
  writeGuards,
  writeServedBy,
} from "../../platform/home/index.ts";
import type { RunningDaemon, ServeTerms } from "../../surfaces/cli/index.ts";

/** How long a stopping daemon waits for whoever does not take its last answer. */
const drainMs = 2_000;

/** Resolves when the daemon answers; refuses when another one holds the home. */
export async function serve(terms: ServeTerms): Promise<RunningDaemon> {
  const { home, lock: lockFile } = terms.paths;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  checkHome(home);
  const lock = takeLock(lockFile);
  if (lock === undefined)
    throw new DomainError("daemon.already-running", `A daemon already serves ${home}; "sylk status" shows it`, {
      details: { home },
    });
  try {
    terms.onLocked?.();
    return await openDaemon(terms, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A lock that cannot even be tried is a disk's or a folder's doing. */
function takeLock(file: string): ReturnType<typeof takeProcessLock> {
  try {
    return takeProcessLock(file);
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

async function openDaemon({ paths, env, flags }: ServeTerms, releaseLock: () => void): Promise<RunningDaemon> {
  const {
    compose,
    createDaemonLog,
    createHttpServer,
    createSettingsOfTree,
    awakeClock,
    protocol,
    replayOverrides,
    systemClock,
    version,
  } = await import("./build-daemon.ts");
  // Time in which the daemon could not run (suspended, a sleeping machine) is nobody's silence.
  const clock = awakeClock(systemClock());
  const settingsOfTree = createSettingsOfTree({ userFile: paths.config, env, flags });
  const settings = await settingsOfTree(undefined);
  const { log, redactor, logTrouble, closeLog } = createDaemonLog(paths.logs, settings, clock);
  const startedAt = clock.now();
  const stopping = Promise.withResolvers<void>();
  const engine = compose({
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
  await engine.trustUserToken(userToken);
  await engine.recordRestore();
  await engine.takeInOutcomes();
  await engine.endLeftovers();
  const hooks = { ...engine, userCredentials: () => ({ token: userToken }) };
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
  engine.announce(url);
  writeServedBy(paths.servedBy, version);
  writeGuards(paths.guards, { ...engine.guards, nudges: settings.nudges });
  writeDaemonRecord(paths.record, { pid: process.pid, version, protocol, socket: paths.socket, url, startedAt });
  // Last: whoever reaches the socket finds the record of this daemon, not of the one before.
  await http.listenSocket(paths.socket);
  await engine.goOn();
  log.info("daemon.started", { pid: process.pid, home: paths.home, socket: paths.socket, url });

  async function stopWhenAsked(): Promise<void> {
    await stopping.promise;
    log.info("daemon.stopping", { pid: process.pid });
    await http.close(new Promise((resolve) => clock.after(drainMs, resolve)));
    await engine.close();
    removeDaemonRecord(paths.record);
    rmSync(paths.socket, { force: true });
    log.info("daemon.stopped", { pid: process.pid });
    closeLog();
    releaseLock();
  }
  return { url, stopped: stopWhenAsked(), stop: stopping.resolve };
}

/** We hold the lock, so a socket that is still there was left by a daemon that is gone. */
function clearSocketPlace(paths: ServeTerms["paths"]): void {
  checkSocketFolder(paths);
  mkdirSync(dirname(paths.socket), { recursive: true, mode: 0o700 });
  if (lstatSync(paths.socket, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new DomainError(
      "daemon.start-failed",
      `There is a folder at ${paths.socket}, where the daemon's socket belongs; move it away and start again`,
      { details: { socket: paths.socket } },
    );
  rmSync(paths.socket, { force: true });
}

function spawnWorker(logs: string, env: Readonly<Record<string, string>>): ChildProcess {
  const stderr = openOrIgnore(join(logs, "worker.err"));
  try {
    return spawn(process.execPath, [process.argv[1]!, "__worker"], {
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "ignore", stderr, "ipc"],
      env,
    });
  } finally {
    if (stderr !== "ignore") closeSync(stderr);
  }
}

/** The command answers with one JSON value: the copy, or why there is none. */
async function copyInChild(from: string, to: string, env: ServeTerms["env"]): Promise<StoreCopy> {
  const child = spawn(process.execPath, [process.argv[1]!, "__copy", from, to, "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env },
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  if (code === 0) return JSON.parse(said) as StoreCopy;
  if (said.startsWith("{")) throw fromErrorBody(JSON.parse(said) as ErrorBody);
  throw new Error(`the copy of the store ended with ${code}`);
}

/** A log that cannot be written stops no run; `daemon.status` tells of it. */
function openOrIgnore(file: string): number | "ignore" {
  try {
    return openSync(file, "a", 0o600);
  } catch {
    return "ignore";
  }
}
