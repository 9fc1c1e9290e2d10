export { createCommands } from "./run-command.ts";
export { goneAmong, startTimeOf } from "./process-identity.ts";
export { changedSince, processesLeftBy, signalProcesses } from "./left-processes.ts";
