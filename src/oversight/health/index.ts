export { type AgentsNow, showHealth } from "./show-health.ts";
export { createOutcomeIntake, type OutcomeIntake, type Unanswered } from "./ingest-outcomes.ts";
export { incidentView } from "./incident-view.ts";
export { listIncidents, resolveIncident } from "./incidents.ts";
export { reportOutcomes } from "./report-outcomes.ts";
export { createHealthTracker, type HealthTracker } from "./tracker.ts";
export type { Report } from "./report.ts";
export type { HealthRepository } from "./store.ts";
export { sqliteHealth } from "./store.sqlite.ts";
