export { healthHandlers } from "./handlers.ts";
export { createOutcomeIntake, type OutcomeIntake } from "./ingest-outcomes.ts";
export { incidentView } from "./incident-view.ts";
export { failureOf, measureHook, outcomeOf, reportCalls, reporting } from "./report-parts.ts";
export { createHealthTracker, type HealthTracker } from "./tracker.ts";
export type { Report } from "./report.ts";
export type { HealthRepository } from "./store.ts";
export { sqliteHealth } from "./store.sqlite.ts";
export { storeTrouble, whyNotEnforced } from "./why-not-enforced.ts";
