export { createDispatch } from "./dispatch.ts";
export type { Call, CallDone } from "./dispatch.ts";
export { sqliteIdempotency } from "./idempotency.sqlite.ts";
export type { IdempotencyRepository } from "./idempotency.ts";
