export type { Guards, HookOutcome } from "./answer-hook.ts";
export { createDeliveries } from "./deliver-mail.ts";
export { addHookRoutes, type HookPorts } from "./hook-routes.ts";
export { replayOverrides } from "./replay-overrides.ts";
