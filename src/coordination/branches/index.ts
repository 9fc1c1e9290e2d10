export type { BranchPorts } from "./bring-in.ts";
export type { MergeOutcome, MergePlace, Merger, Torn } from "./ports.ts";
export { branchHandlers } from "./handlers.ts";
export { tellMerges } from "./tell-merges.ts";
