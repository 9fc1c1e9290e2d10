/**
 * Unguarded tool calls: their write targets were unknown, or no daemon answered. The agent is told once, at its
 * next hook; the commit gate says it until a commit of that working tree went through. Counted for good by health; here in
 * memory, because after a restart the counters and the tree are still there.
 */
import type { AgentRef } from "../../contract/index.ts";

export type UnguardedCall = {
  readonly agent: Pick<AgentRef, "name"> & { readonly id: string };
  readonly tree: string;
  /** The call and why, in a few words. */
  readonly what: string;
};
export type UnguardedCalls = {
  note(call: UnguardedCall): void;
  /** What the agent was not told yet; after this it is. */
  tell(agent: string): readonly string[];
  inTree(tree: string): readonly UnguardedCall[];
  settle(tree: string): void;
};

const mostKept = 1_000;

export function createUnguardedCalls(): UnguardedCalls {
  let calls: readonly UnguardedCall[] = [];
  let untold: readonly UnguardedCall[] = [];
  return {
    note(call) {
      calls = [...calls.slice(1 - mostKept), call];
      untold = [...untold.slice(1 - mostKept), call];
    },
    tell(agent) {
      const own = untold.filter((call) => call.agent.id === agent);
      if (own.length > 0) untold = untold.filter((call) => call.agent.id !== agent);
      return own.map(({ what }) => what);
    },
    inTree: (tree) => calls.filter((call) => call.tree === tree),
    settle: (tree) => void (calls = calls.filter((call) => call.tree !== tree)),
  };
}
