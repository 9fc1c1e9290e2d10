export { compareRules } from "./compare-rules.ts";
export { rhythms } from "./rhythms.ts";
export { simulate } from "./simulate.ts";
export type { OpenWorld, Seat } from "./world.ts";
