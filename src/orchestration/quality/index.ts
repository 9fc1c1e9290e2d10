export { createChecker } from "./create-checker.ts";
export { judgeEvidence } from "./evidence-gate.ts";
