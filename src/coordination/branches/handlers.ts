/** Handlers of branches: what `contract/branch.ts` names. */
import { inSteps, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { BranchPorts, BranchRepositories } from "./merge-in-turn.ts";
import { mergeBranch } from "./merge-branch.ts";
import { syncBranch } from "./sync-branch.ts";

export function branchHandlers(
  ports: BranchPorts & { readonly store: Store<BranchRepositories> },
): OperationHandlers<BranchRepositories, OperationsOn<"branch">> {
  return {
    "branch.merge": (input, call) => mergeBranch(input, inSteps(call, ports.store), ports),
    "branch.sync": (input, call) => syncBranch(input, inSteps(call, ports.store), ports),
  };
}
