export { createCommands } from "./run-command.ts";
export { startTimeOf } from "./process-identity.ts";
