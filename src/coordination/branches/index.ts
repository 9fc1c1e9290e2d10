export type { BranchPorts } from "./bring-in.ts";
export { mergeBranch } from "./merge-branch.ts";
export type { MergeOutcome, MergePlace, Merger, Torn } from "./ports.ts";
export { syncBranch } from "./sync-branch.ts";
