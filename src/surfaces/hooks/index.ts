export { addHookRoutes, type HookPorts } from "./hook-routes.ts";
export { replayOverrides } from "./replay-overrides.ts";
