/** A real daemon in this process: its own home, store and socket, and a clock that is moved by hand. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { promisify } from "node:util";
import {
  buildDaemon,
  createDaemonLog,
  createHttpServer,
  createSettingsOfTree,
} from "../../src/app/daemon/build-daemon.ts";
import type { Examination } from "../../src/contract/index.ts";
import { type ManualClock, manualClock } from "../../src/platform/clock/index.ts";
import { ensureUserToken } from "../../src/platform/home/index.ts";
import { stoppedStore } from "../../src/platform/store/index.ts";
import { createClient, type SylkClient } from "../../src/surfaces/client/index.ts";
import { socketTransport } from "../../src/surfaces/transport/index.ts";
import { mainScript } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";

export type DaemonHere = AsyncDisposable & {
  readonly home: ScratchHome;
  readonly clock: ManualClock;
  /** Of every timer that was set, in order: a test sees that the daemon waits before it moves the clock. */
  readonly delays: readonly number[];
  readonly engine: ReturnType<typeof buildDaemon>;
  readonly userToken: string;
  /** The user, over the daemon's socket. */
  readonly user: SylkClient;
  /** Answers where it listens on loopback too. */
  listenOnLoopback(): Promise<string>;
};

export async function openDaemonHere(given: Readonly<Record<string, string>> = {}): Promise<DaemonHere> {
  const home = openScratchHome({ env: given });
  const { paths, env, repository } = home;
  mkdirSync(paths.home, { mode: 0o700 });
  const delays: number[] = [];
  const manual = manualClock();
  const clock: ManualClock = {
    ...manual,
    after(ms, fn, terms) {
      delays.push(ms);
      return manual.after(ms, fn, terms);
    },
  };
  const settingsOfTree = createSettingsOfTree({ userFile: paths.config, env, flags: {} });
  const settings = await settingsOfTree(undefined);
  const { closeLog, ...logging } = createDaemonLog(paths.logs, settings, clock);
  const engine = buildDaemon({
    ...logging,
    paths,
    settings,
    settingsOfTree,
    clock,
    startedAt: clock.now(),
    env,
    spawnWorker: () => {
      throw new Error("no run is started here");
    },
    copyStore: async (to) => stoppedStore(clock).copy(paths.database, to),
    examine: async (folder = paths.home) => {
      const doctor = promisify(execFile)(process.execPath, [mainScript, "doctor", "--json"], { env, cwd: folder });
      // A problem is an exit code of its own; the findings are printed all the same.
      const { stdout } = await doctor.catch((ended: unknown) => ended as { readonly stdout: string });
      return JSON.parse(stdout) as Examination;
    },
    onStop: () => {},
  });
  const userToken = ensureUserToken(paths.token);
  await engine.trustUserToken(userToken);
  engine.announce("http://127.0.0.1:9");
  const http = await createHttpServer({
    ...engine,
    userCredentials: () => ({ token: userToken }),
    allowedHosts: "",
    onDefect: (error, where) => logging.log.error("http.defect", { error, where }),
  });
  await http.listenSocket(paths.socket);
  const user = createClient({ transport: socketTransport(paths.socket), token: userToken, project: repository });
  return {
    home,
    clock,
    delays,
    engine,
    userToken,
    user,
    async listenOnLoopback() {
      const url = `http://127.0.0.1:${await http.listenLoopback(0)}`;
      engine.announce(url);
      return url;
    },
    async [Symbol.asyncDispose]() {
      await http.close(Promise.resolve());
      await engine.close();
      closeLog();
      await home[Symbol.asyncDispose]();
    },
  };
}
