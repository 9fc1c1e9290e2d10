export { type CheckCommands, createCheckCommands } from "./check-commands.ts";
export { discoverChecks } from "./discover-checks.ts";
export { judgeEvidence } from "./evidence-gate.ts";
export { isRejection, runCheck } from "./run-check.ts";
