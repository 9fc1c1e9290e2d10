export { createGuide, Unanswered } from "./guide.ts";
export type { Answer, Guide, RoleHandler } from "./guide.ts";
export { routeInput } from "./route-input.ts";
