/**
 * Looks after the files of a running daemon: four looks at the disk every two seconds.
 *
 *   lock or home lost        -> tell, once; the daemon ends
 *   socket or record missing -> made again, but only while the home is ours
 *
 * A timer and not a file watch: SQLite writes into this folder with every change, and each write would wake a watch.
 */
import type { Clock } from "../clock/index.ts";
import { entryIdentityOf, type FileIdentity } from "../file-identity.ts";
import type { HomeHold } from "./home-hold.ts";
import type { HomePaths } from "./home-paths.ts";

/** With the end of a daemon that lost its home this stays below 5 s. */
export const homeCheckMs = 2_000;

type MadeFile = "socket" | "record";
export type HomeWatchTerms = {
  readonly paths: Pick<HomePaths, MadeFile>;
  readonly hold: HomeHold;
  readonly clock: Clock;
  /** Each makes its file anew, as at the start. */
  readonly make: Readonly<Record<MadeFile, () => void | Promise<void>>>;
  readonly onLost: (reason: string) => void;
  readonly onMade: (file: string) => void;
  /** Told once for each reason; it is tried again. */
  readonly onFailed: (file: string, error: unknown) => void;
};

/** Call when both files exist. */
export function watchHome({ paths, hold, clock, make, onLost, onMade, onFailed }: HomeWatchTerms): { stop(): void } {
  const made = new Map<MadeFile, FileIdentity>();
  const failed = new Map<MadeFile, string>();
  let stopped = false;
  for (const file of ["socket", "record"] as const) made.set(file, entryIdentityOf(paths[file]));

  async function look(): Promise<void> {
    const reason = hold.whyLost();
    if (reason !== undefined) return onLost(reason);
    for (const [file, identity] of made) if (entryIdentityOf(paths[file]) !== identity) await mend(file);
    if (!stopped) timer = clock.after(homeCheckMs, () => void look());
  }

  async function mend(file: MadeFile): Promise<void> {
    try {
      await make[file]();
      made.set(file, entryIdentityOf(paths[file]));
      failed.delete(file);
      onMade(paths[file]);
    } catch (error) {
      if (failed.get(file) !== String(error)) onFailed(paths[file], error);
      failed.set(file, String(error));
    }
  }

  let timer = clock.after(homeCheckMs, () => void look());
  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}
