/** A checked commit, such as a run's, into the branch of a tree: by the queue, the conflicts and the notices of `branch.merge`. */
import type { AgentCaller, Caller } from "../../contract/index.ts";
import { type BranchPorts, type BranchRepositories, mergeInTurn, type MergeOutcome } from "./merge-in-turn.ts";
import type { CallContext } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";

export type CheckedChange = {
  readonly tree: string;
  readonly branch: string;
  readonly commit: string;
  readonly message: string;
  readonly waitMs: number;
  /** Recorded together with the merge. */
  readonly record: (commit: string, tx: BranchRepositories & Transaction) => Promise<void>;
};
export type MergeChangePorts = BranchPorts & {
  /** The agent of the person at this machine: other agents are told who merged. */
  readonly personAt: (tree: string) => Promise<AgentCaller>;
};

export async function mergeChange(
  { tree, branch, commit, ...terms }: CheckedChange,
  { caller, ...call }: CallContext<BranchRepositories> & { readonly caller: Caller },
  ports: MergeChangePorts,
): Promise<MergeOutcome> {
  const by = caller.kind === "agent" ? caller : await ports.personAt(tree);
  const place = await ports.merger.locate(tree, { branch, commit });
  return mergeInTurn(place, { ...terms, conflictTo: "queue", forward: false }, { ...call, caller: by }, ports);
}
