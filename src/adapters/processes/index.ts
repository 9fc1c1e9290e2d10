export { createCommands } from "./run-command.ts";
export { goneAmong, startTimeOf } from "./process-identity.ts";
