/** Health over a real SQLite file in a scratch folder, with a clock moved by hand. */
import { join } from "node:path";
import type { LogEvent, ProjectId } from "../../contract/index.ts";
import { manualClock, type ManualClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { openSqliteStore, type Store } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder, type ScratchFolder } from "../../platform/store/testkit.ts";
import { sqliteHealth } from "./store.sqlite.ts";
import type { HealthPorts, HealthRepositories } from "./ports.ts";
import type { Report } from "./report.ts";
import { createHealthTracker, type HealthTracker } from "./tracker.ts";

export const shop = "prj_01jd8q3m7k4x9t2v5b8n1c" as ProjectId;

export type ScratchHealth = Disposable &
  HealthPorts & {
    readonly clock: ManualClock;
    readonly folder: ScratchFolder;
    readonly store: Store<HealthRepositories>;
    readonly tracker: HealthTracker;
    readonly failed: unknown[];
    events(): Promise<readonly LogEvent[]>;
    /** The next life of the daemon; this one ends without a last word. */
    killed(terms?: { readonly downMs?: number }): ScratchHealth;
  };

export function scratchHealth(folder = scratchFolder(), clock = manualClock()): ScratchHealth {
  const ids = randomIds(clock);
  const store: Store<HealthRepositories> = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { health: sqliteHealth, events: sqliteEvents({ clock, ids, onAppended: () => {} }) },
    onDefect: (error) => {
      throw error;
    },
  });
  const failed: unknown[] = [];
  const ports = {
    store,
    clock,
    ids,
    clean: (text: string) => text.replaceAll("hunter2", "[redacted]"),
    liveProjects: async () => [shop],
    onFailed: (error: unknown) => void failed.push(error),
  };
  const tracker = createHealthTracker(ports);
  const end = (): void => {
    tracker.stop();
    store.close();
  };
  return {
    ...ports,
    folder,
    tracker,
    failed,
    events: async () =>
      (await store.reader.events.page({ after: 0, limit: 1_000, types: undefined, project: undefined })).events,
    killed({ downMs = 0 } = {}) {
      end();
      return scratchHealth(folder, manualClock({ wall: clock.now() + downMs, monotonic: 50 }));
    },
    [Symbol.dispose]() {
      end();
      folder[Symbol.dispose]();
    },
  };
}

export function failure(component: string, changes: Partial<Report> = {}): Report {
  return { kind: "hook", component, outcome: "failed", error: "the disk is full", at: 0, ...changes };
}
