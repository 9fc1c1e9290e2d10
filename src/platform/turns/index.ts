/** Door of the turns: work on the same names, one after the other. */
export { createTurns, type Turns } from "./turns.ts";
