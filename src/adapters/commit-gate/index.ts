export { gitGate } from "./commit-gate.ts";
