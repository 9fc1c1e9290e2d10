/** Builds the daemon's pool from the settings: limits, queues, and workers for background jobs. */
import { availableParallelism, loadavg } from "node:os";
import type { Clock } from "../../platform/clock/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { createPool, type Lane, type Pool } from "../../platform/pool/index.ts";

/** Load per core: below the first value more jobs may run, above the second fewer. */
const calmBelow = 0.9;
const strainedAbove = 1.5;
const measureEveryMs = 5_000;

export function composePool(settings: Settings, clock: Clock): Pool {
  const workers = settings["pool.workers"];
  const adaptive = {
    min: Math.max(1, Math.ceil(workers / 4)),
    max: workers,
    calmBelow,
    strainedAbove,
    everyMs: measureEveryMs,
    load: () => loadavg()[0]! / availableParallelism(),
  };
  return createPool({
    clock,
    ageingMs: settings["pool.ageingMs"],
    limits: {
      all: workers,
      perGroup: settings["sessions.maxTasks"],
      perKind: { engineer: settings["engineers.max"] },
      perKindInGroup: { engineer: settings["sessions.maxEngineers"] },
    },
    boundSlots: Array<Lane>(settings["pool.backgroundWorkers"]).fill("background"),
    queue: { all: settings["pool.maxWaiting"], perGroup: settings["pool.maxWaitingPerSession"] },
    ...(settings["pool.adaptive"] === "on" ? { adaptive } : {}),
  });
}
