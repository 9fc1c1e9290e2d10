/** Door of dispatch: how commands and prompts are carried out, each in a process of its own. */
export type { CommandPort, CommandRequest, CommandResult, ProcessIdentity } from "./command-port.ts";
export type { PromptAnswer, PromptPort, PromptRequest } from "./prompt-port.ts";
export type { FromPromptWorker, PromptWork, ToPromptWorker } from "./prompt-protocol.ts";
export { troubleOf } from "./prompt-trouble.ts";
export { createPrompts } from "./prompt-workers.ts";
