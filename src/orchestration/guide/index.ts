export { createGuide, Unanswered } from "./guide.ts";
export type { Answer, Guide, RoleHandler } from "./guide.ts";
export { routeInput, type KnownReviewer } from "./route-input.ts";
export { openSessionBus, type SessionBus } from "./session-bus.ts";
