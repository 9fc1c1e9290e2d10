export { askQuestion, explainRoute, guideMetrics } from "./ask-question.ts";
export type { Answer, RoleHandler } from "./delivery/agent-seats.ts";
export { Unanswered } from "./delivery/deliver-request.ts";
export { createGuide, type Guide } from "./guide.ts";
export { routeInput, type KnownReviewer } from "./route-input.ts";
export type { AgentCard } from "./routing/agent-card.ts";
export { standardCards } from "./routing/standard-cards.ts";
export type { SessionRouter } from "./router-port.ts";
export { openSessionBus, type SessionBus } from "./session-bus.ts";
