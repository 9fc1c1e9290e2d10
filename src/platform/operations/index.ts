export type { AgentCall, Call, CallContext, OperationHandlers, OperationsOn } from "./call.ts";
export { overProjects } from "./every-project.ts";
export { createDispatch } from "./dispatch.ts";
export type { CallDone } from "./dispatch.ts";
export { sqliteIdempotency } from "./idempotency.sqlite.ts";
export type { IdempotencyRepository } from "./idempotency.ts";
export { inSteps } from "./in-steps.ts";
export { mergeHandlers } from "./merge-handlers.ts";
