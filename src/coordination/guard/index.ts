export { checkCommit } from "./check-commit.ts";
export { headOf } from "./family.ts";
export type { GuardPorts } from "./ports.ts";
export { createToldLosses } from "./told-losses.ts";
export { createToolCalls, lateMs, type ToolCall, type ToolCalls } from "./tool-calls.ts";
export { createUnguardedCalls, type UnguardedCalls } from "./unguarded-calls.ts";
export { guardHandlers } from "./handlers.ts";
export { isStrict } from "./is-strict.ts";
export { noteUnanswered } from "./note-unanswered.ts";
