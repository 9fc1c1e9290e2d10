export { locateProgram } from "./locate-program.ts";
export { createCommands } from "./run-command.ts";
export { goneAmong, startTimeOf } from "./process-identity.ts";
export { createTerminals } from "./terminals.ts";
export { changedSince, processesLeftBy, signalProcesses } from "./left-processes.ts";
export { startProgram, type ProgramTerms, type RunningProgram } from "./start-program.ts";
