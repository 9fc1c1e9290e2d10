export { compareRules } from "./compare-rules.ts";
export { rhythms } from "./rhythms.ts";
export { simulate } from "./simulate.ts";
export type { Seat, World } from "./world.ts";
