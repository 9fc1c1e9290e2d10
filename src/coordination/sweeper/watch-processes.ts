/**
 * The process watch: an agent whose process on this host is gone is offline within two seconds, not after minutes.
 *
 *   an agent with a process came -> look every second -> some are gone -> sweep(gone)
 *
 * Without live agents that have a process there is no timer.
 */
import type { LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Leaving } from "../agent-end/index.ts";
import type { RegistryRepositories, WatchedProcess } from "../registry/index.ts";
import type { GoneProcess } from "./sweeper.ts";

type Ports = {
  readonly store: Pick<Store<RegistryRepositories>, "reader">;
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  /** Those of them that no longer run; a pid with another start time is another process. */
  readonly goneAmong: (processes: readonly WatchedProcess[]) => Promise<readonly WatchedProcess[]>;
  /** For each of them what its session started and still runs; absent where there are no processes, as in a simulation. */
  readonly leftBy?: (gone: readonly WatchedProcess[]) => Promise<readonly Leaving["left"][]>;
  readonly sweep: (gone: readonly GoneProcess[]) => Promise<unknown>;
  readonly onFailed: (error: unknown) => void;
};

const everyMs = 1_000;
const comings = new Set(["agent.registered", "agent.returned", "agent.changed"]);

export function watchProcesses({ store, bus, clock, goneAmong, leftBy, sweep, onFailed }: Ports): { stop(): void } {
  let timer: Timer | undefined;
  let stopped = false;

  const unsubscribe = bus.subscribe("event.**", ({ type }) => {
    if (comings.has(type)) scheduleLook();
  });

  function scheduleLook(): void {
    if (!stopped) timer ??= clock.after(everyMs, () => void look());
  }

  async function look(): Promise<void> {
    // Before the list is read: an event from here on may be about an agent that is not on it.
    timer = undefined;
    try {
      const watched = await store.reader.agents.watchedProcesses();
      if (watched.length === 0) return;
      const gone = await goneAmong(watched);
      if (gone.length > 0) {
        const left = (await leftBy?.(gone)) ?? [];
        if (!stopped) await sweep(gone.map((process, index) => ({ ...process, left: left[index] })));
      }
      if (gone.length < watched.length) scheduleLook();
    } catch (error) {
      if (stopped) return;
      onFailed(error);
      scheduleLook();
    }
  }

  void look();
  return {
    stop() {
      stopped = true;
      unsubscribe();
      timer?.cancel();
    },
  };
}
