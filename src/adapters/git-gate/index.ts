export { gitGate } from "./git-gate.ts";
