/** Retention: what has a lifetime is removed at the start and then a few times a day. */
import type { Clock, Timer } from "./clock/index.ts";

type Ports = {
  readonly clock: Clock;
  /** Removes what is too old, in one go. */
  readonly remove: () => Promise<void>;
  readonly onFailed: (error: unknown) => void;
};

const everyMs = 6 * 3_600_000;

export function startRetention({ clock, remove, onFailed }: Ports): { stop(): void } {
  let timer: Timer | undefined;
  let stopped = false;
  function run(): void {
    void remove()
      .catch(onFailed)
      .finally(() => {
        if (!stopped) timer = clock.after(everyMs, run);
      });
  }
  run();
  return {
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
