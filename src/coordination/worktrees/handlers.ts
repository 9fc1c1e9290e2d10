/** Handlers of worktrees: what `contract/worktree.ts` names. */
import { inSteps, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import {
  createWorktree,
  listWorktrees,
  removeWorktree,
  type WorktreePorts,
  type WorktreeRepositories,
} from "./worktrees.ts";

export function worktreeHandlers(
  ports: WorktreePorts & { readonly store: Store<WorktreeRepositories> },
): OperationHandlers<WorktreeRepositories, OperationsOn<"worktree">> {
  return {
    "worktree.create": (input, call) => createWorktree(input, inSteps(call, ports.store), ports),
    "worktree.list": (_, call) => listWorktrees(call, ports),
    "worktree.remove": (input, call) => removeWorktree(input, inSteps(call, ports.store), ports),
  };
}
