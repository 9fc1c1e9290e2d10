export type { StatuslinePorts } from "./daemon-line.ts";
export { integrationLine, type IntegrationPorts } from "./integration-line.ts";
export { createRecentChanges, type RecentChanges } from "./recent-changes.ts";
export { statusline } from "./statusline.ts";
export { addStatuslineRoute } from "./statusline-route.ts";
export type { StatuslineMode } from "./update-policy.ts";
