export type { BranchHistory, BranchTip, BranchWatcher, BroughtCommit, GateState } from "./ports.ts";
export { watchGate } from "./watch-gate.ts";
