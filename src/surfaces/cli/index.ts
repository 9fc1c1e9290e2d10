export { runCli } from "./run-cli.ts";
export { plugEntryPoints } from "./entry-points.ts";
export type { ClientInstaller, RunningDaemon, ServeTerms, Simulation, StandaloneLedger } from "./entry-points.ts";
