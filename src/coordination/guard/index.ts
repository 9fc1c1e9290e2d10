export { afterTools } from "./after-tools.ts";
export { checkCommit } from "./check-commit.ts";
export { headOf } from "./family.ts";
export { guardWrite } from "./guard-write.ts";
export type { GuardPorts } from "./ports.ts";
export { startSession } from "./start-session.ts";
export { createToldLosses } from "./told-losses.ts";
export { createToolCalls, lateMs, type ToolCall, type ToolCalls } from "./tool-calls.ts";
export { createUnguardedCalls, type UnguardedCalls } from "./unguarded-calls.ts";
