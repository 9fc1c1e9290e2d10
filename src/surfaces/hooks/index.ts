export type { Guards, HookOutcome } from "./answer-hook.ts";
export { addHookRoutes, type HookPorts } from "./hook-routes.ts";
export { replayOverrides } from "./replay-overrides.ts";
