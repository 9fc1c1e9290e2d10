export { createLeaseClock, type Lease, type LeaseClock, type LeaseRules } from "./lease-clock.ts";
