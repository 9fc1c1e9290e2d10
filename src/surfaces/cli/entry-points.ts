/** How commands reach the composition roots: main.ts plugs them in, so that no surface imports them. */
import type { SettingFlags } from "../../platform/config/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";

export type ServeTerms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: SettingFlags;
};
export type RunningDaemon = { readonly url: string | null; readonly stopped: Promise<void>; stop(): void };

type EntryPoints = {
  /** A daemon's life. */
  serve(terms: ServeTerms): Promise<RunningDaemon>;
  /** A worker's life; started by the daemon, never by a person. */
  work(): Promise<void>;
};

let plugged: EntryPoints | undefined;

export function plugEntryPoints(entryPoints: EntryPoints): void {
  plugged = entryPoints;
}

export function entryPoints(): EntryPoints {
  if (plugged === undefined) throw new Error("main.ts did not plug in the entry points");
  return plugged;
}
