/**
 * The life cycle of a daemon: lock, settings, daemon, surfaces; it stops them in reverse order.
 *
 *   lock the home -> open the store -> listen on socket and loopback -> record -> … -> SIGTERM or daemon.stop -> close
 *                                                                     `-> the home is lost -> close, in a hurry
 *
 * The lock comes first and is cheap: if many daemons start at once, all but one exit before they load heavy modules.
 */
import { join } from "node:path";
import { lockHome } from "../../platform/store/index.ts";
import {
  clearSocketPlace,
  ensureUserToken,
  type HomeHold,
  holdHome,
  keepPort,
  portToTry,
  prepareHome,
  removeDaemonRecord,
  watchHome,
  writeDaemonRecord,
  writeGuards,
  writeServedBy,
} from "../../platform/home/index.ts";
import { copyInChild, examineInChild, spawnWorker } from "./child-processes.ts";
import type { RunningDaemon, ServeTerms } from "../../surfaces/cli/index.ts";

/** How long a stopping daemon waits for clients to read their last answer. */
const drainMs = 2_000;
/** One that lost its home waits less: for its clients, then for its own parts. */
const lostDrainMs = 1_000;

/** Resolves when the daemon answers. Throws when another daemon has locked the home. */
export async function serve(terms: ServeTerms): Promise<RunningDaemon> {
  const closedToOthers = prepareHome(terms.paths.home);
  const lock = lockHome(terms.paths, "daemon");
  try {
    terms.onLocked?.();
    const hold = holdHome(terms.paths, lock.isHeld);
    return await openDaemon(terms, { hold, releaseLock: lock.release, closedToOthers });
  } catch (error) {
    lock.release();
    throw error;
  }
}

type HeldHome = {
  readonly hold: HomeHold;
  readonly releaseLock: () => void;
  /** The words for what was closed to other users just now. */
  readonly closedToOthers: string | undefined;
};

async function openDaemon(
  { paths, env, flags, startedBy }: ServeTerms,
  { hold, releaseLock, closedToOthers }: HeldHome,
): Promise<RunningDaemon> {
  const {
    buildDaemon,
    createDaemonLog,
    createHttpServer,
    consentsIn,
    createSettingsOfTree,
    awakeClock,
    protocol,
    replayOverrides,
    startTimeOf,
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
  if (closedToOthers !== undefined) log.warn("home.closed-to-others", { what: closedToOthers });
  const startedAt = clock.now();
  const stopping = Promise.withResolvers<void>();
  const daemon = buildDaemon({
    paths,
    hold,
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
    examine: (folder = paths.home) => examineInChild(folder, env),
    onStop() {
      keepGuards(undefined);
      stopping.resolve();
    },
  });
  const keepGuards = (start: ServeTerms["startedBy"]): void =>
    writeGuards(paths.guards, { ...daemon.guards, nudges: settings.nudges, start });
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
    allowedHosts: settings["http.allowedHosts"],
    onDefect: (error, where) => log.error("http.defect", { error, where }),
  });
  clearSocketPlace(paths);
  const url = settings["http.enabled"] ? await listenAtKeptPort(settings["http.port"]) : null;
  daemon.announce(url);
  writeServedBy(paths.servedBy, version);
  keepGuards(startedBy);
  const { pid } = process;
  const processStart = await startTimeOf(pid);
  const record = { pid, version, protocol, socket: paths.socket, url, startedAt, processStart };
  writeDaemonRecord(paths.record, record);
  // The socket comes last, so that a client that reaches it finds the record of this daemon.
  await http.listenSocket(paths.socket);
  const homeWatch = watchHome({
    paths,
    hold,
    clock,
    make: {
      socket: () => http.listenSocket(paths.socket),
      record: () => writeDaemonRecord(paths.record, record),
    },
    onLost(reason) {
      log.error("home.lost", { pid, reason });
      stopping.resolve();
    },
    onMade: (file) => log.warn("home.file-made-again", { file }),
    onFailed: (file, error) => log.error("home.file-missing", { file, error }),
  });
  await daemon.resumeAll();
  log.info("daemon.started", { pid, home: paths.home, socket: paths.socket, url });

  async function listenAtKeptPort(wanted: number): Promise<string> {
    const bound = await http.listenLoopback(portToTry(paths.keptPort, wanted));
    keepPort(paths.keptPort, { wanted, bound });
    return `http://127.0.0.1:${bound}`;
  }
  const elapsed = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));
  async function stopWhenAsked(): Promise<void> {
    await stopping.promise;
    homeWatch.stop();
    const isLost = hold.whyLost() !== undefined;
    log.info("daemon.stopping", { pid });
    await http.close(elapsed(isLost ? lostDrainMs : drainMs));
    const closed = daemon.close();
    // A store that refuses cannot take what parts write at their end; nothing of it was acknowledged.
    if (isLost)
      await Promise.race([
        closed.catch((error: unknown) => log.warn("daemon.close-failed", { error })),
        elapsed(lostDrainMs),
      ]);
    else await closed;
    removeDaemonRecord(paths.record, pid);
    log.info("daemon.stopped", { pid });
    closeLog();
    releaseLock();
  }
  return { url, stopped: stopWhenAsked(), stop: stopping.resolve };
}
