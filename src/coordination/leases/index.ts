export { createLeaseClock } from "./lease-clock.ts";
export type { LeaseClock } from "./lease-clock.ts";
