export { endAgent } from "./end-agent.ts";
export { leave, heldBackMs } from "./leave.ts";
export type { Leaving } from "./leave.ts";
export { agentEndHandlers } from "./handlers.ts";
