export { startSweeper } from "./sweeper.ts";
export type { Sweeper } from "./sweeper.ts";
