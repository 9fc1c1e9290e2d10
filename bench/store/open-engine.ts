/** The engine of a daemon without its surfaces, on a home of our own. */
import { buildDaemon, createSettingsOfTree, systemClock, type Daemon } from "../../src/app/daemon/build-daemon.ts";
import { homePaths } from "../../src/platform/home/index.ts";
import { createLog } from "../../src/platform/log/index.ts";
import { createRedactor } from "../../src/platform/redact/index.ts";

export async function openEngine(home: string): Promise<Daemon> {
  const paths = homePaths({ SYLK_HOME: home });
  const clock = systemClock();
  const env = { SYLK_WORK_MAX_CLAIMS_PER_AGENT: "1000000" };
  const settingsOfTree = createSettingsOfTree({ userFile: paths.config, env, flags: {} });
  return buildDaemon({
    paths,
    settings: await settingsOfTree(undefined),
    settingsOfTree,
    clock,
    log: createLog({ level: "warn", write: (line) => process.stderr.write(line), clock }),
    redactor: createRedactor(),
    logTrouble: () => undefined,
    startedAt: clock.now(),
    env,
    copyStore: () => Promise.reject(new Error("a benchmark makes no backup")),
    examine: () => Promise.reject(new Error("a benchmark examines no installation")),
    spawnWorker: () => {
      throw new Error("no benchmark starts a run");
    },
    onStop: () => {},
  });
}
