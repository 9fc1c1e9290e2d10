export type { BranchPorts } from "./merge-in-turn.ts";
export type { MergeOutcome, MergePlace, Merger, Torn } from "./ports.ts";
export { type CheckedChange, mergeChange } from "./merge-change.ts";
export { branchHandlers } from "./handlers.ts";
export { reportMerges } from "./report-merges.ts";
