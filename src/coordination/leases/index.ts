export { createDeadlineClock, type DeadlineClock } from "./deadline-clock.ts";
export { createLeaseClock, type Lease, type LeaseClock, type LeaseRules } from "./lease-clock.ts";
