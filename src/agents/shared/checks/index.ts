/** Door of checking: what Inspector and Tester have in common, in a run and outside of one. */
export { type CheckHere, checksHere, type ToolsHere } from "./check-here.ts";
export { projectChecks } from "./project-checks.ts";
export { createChecker } from "./create-checker.ts";
export { type Corrections, createCorrections } from "./corrections.ts";
