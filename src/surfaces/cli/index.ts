export { runCli } from "./run-cli.ts";
export { plugServe } from "./serve-port.ts";
export type { RunningDaemon, ServeTerms } from "./serve-port.ts";
