export { createCommands } from "./run-command.ts";
export { isProcessGone, startTimeOf } from "./process-identity.ts";
