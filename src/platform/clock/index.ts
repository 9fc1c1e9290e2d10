/** Door of the clock: the port, the machine's clock, one that leaves out pauses, and the one that tests move by hand. */
export { awakeClock } from "./awake-clock.ts";
export type { Clock, Timer } from "./clock.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export { pause } from "./pause.ts";
export { systemClock } from "./system-clock.ts";
