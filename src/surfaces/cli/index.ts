export { runCli } from "./run-cli.ts";
export { plugEntryPoints } from "./entry-points.ts";
export type { ClientInstaller, RunningDaemon, ServeTerms } from "./entry-points.ts";
