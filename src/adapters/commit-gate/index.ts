export { clientOfToolServer, processOrigin } from "./process-origin.ts";
export { byWhom, factsIn, gitGate } from "./commit-gate.ts";
