export { runCli } from "./run-cli.ts";
export { plugEntryPoints } from "./entry-points.ts";
export type {
  ClientInstaller,
  EntryPoints,
  RunningDaemon,
  ServeTerms,
  Simulation,
  StandaloneCodeIndex,
  StandaloneLedger,
  StandaloneTools,
} from "./entry-points.ts";
