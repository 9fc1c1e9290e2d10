/** Door of executors: how commands and prompts are carried out, each in a process of its own, and how processes are recorded. */
export { commandEnvironment, programEnvironment, workerEnvironment } from "./command-environment.ts";
export type { CommandPort, CommandRequest, CommandResult, ProcessIdentity, WrapCommand } from "./command-port.ts";
export { createProcessRecorder, type ProcessRecorder, type ProcessTx } from "./process-recorder.ts";
export type { OwnedProcess, ProcessRepository } from "./process-store.ts";
export { sqliteProcesses } from "./process-store.sqlite.ts";
export type { PromptAnswer, PromptPort, PromptRequest } from "./prompt-port.ts";
export type { FromPromptWorker, PromptWork, ToPromptWorker, Trouble } from "./prompt-protocol.ts";
export { errorOf, troubleOf } from "./prompt-trouble.ts";
export type { EnclosedCommand, Sandbox, SandboxPlaces } from "./sandbox-port.ts";
export { createPrompts } from "./prompt-workers.ts";
