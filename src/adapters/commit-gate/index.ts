export { byWhom, factsIn, gitGate } from "./commit-gate.ts";
