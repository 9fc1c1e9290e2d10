export { type CheckCommands, createCheckCommands } from "./check-commands.ts";
export { discoverChecks } from "./discover-checks.ts";
export { judgeEvidence } from "./evidence-gate.ts";
export { runCheck } from "./run-check.ts";
