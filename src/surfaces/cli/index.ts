export { runCli } from "./run-cli.ts";
export { plugServe } from "./serve-port.ts";
