/** How `sylk serve` reaches the composition root: main.ts plugs it in, so that no surface imports it. */
import type { SettingFlags } from "../../platform/config/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";

export type ServeTerms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: SettingFlags;
};
export type RunningDaemon = { readonly url: string | null; readonly stopped: Promise<void>; stop(): void };
type Serve = (terms: ServeTerms) => Promise<RunningDaemon>;

let plugged: Serve | undefined;

export function plugServe(serve: Serve): void {
  plugged = serve;
}

export function startServing(terms: ServeTerms): Promise<RunningDaemon> {
  if (plugged === undefined) throw new Error("main.ts did not plug in the daemon");
  return plugged(terms);
}
