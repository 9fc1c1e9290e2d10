export { startSweeper } from "./sweeper.ts";
export type { Sweeper } from "./sweeper.ts";
export { watchProcesses } from "./watch-processes.ts";
