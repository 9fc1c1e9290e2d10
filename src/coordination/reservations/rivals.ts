/** Whether two claimants of the same paths block each other. */
import type { AgentRef, ReservationMode, ReservationScope } from "../../contract/index.ts";

export type Claimant = {
  readonly agent: AgentRef;
  readonly tree: string;
  readonly mode: ReservationMode;
  readonly scope: ReservationScope;
};
type Held = Omit<Claimant, "agent"> & { readonly holder: AgentRef };

/** Two agents, at least one of them alone with the path, in one working tree or across all of them. */
export function couldBlock(held: Held, wanted: Claimant): boolean {
  return isRivalry(held, wanted) && (held.tree === wanted.tree || reachesAllTrees(held) || reachesAllTrees(wanted));
}

/** The same across worktrees: neither is stopped, but their changes will have to be merged. */
export function willCollide(held: Held, wanted: Claimant): boolean {
  return isRivalry(held, wanted) && !couldBlock(held, wanted);
}

function isRivalry(held: Held, wanted: Claimant): boolean {
  return held.holder.id !== wanted.agent.id && (held.mode === "exclusive" || wanted.mode === "exclusive");
}

function reachesAllTrees({ scope }: Pick<Claimant, "scope">): boolean {
  return scope === "repository";
}
