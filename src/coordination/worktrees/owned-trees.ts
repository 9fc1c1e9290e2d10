/** The worktrees that have an owner: the start of a session removes the others. */
import type { AgentId } from "../../contract/index.ts";
import type { AgentRepository } from "../registry/index.ts";

type OwnedTreePorts = {
  /** Trees by the agents whose names they carry. */
  readonly treesOfAgents: () => Iterable<readonly [tree: string, agent: AgentId]>;
  readonly treesOfRuns: () => Promise<Iterable<string>>;
  readonly agents: Pick<AgentRepository, "find">;
};

/** Those of runs, and of agents that have not ended: an agent that is only offline may come back. */
export async function ownedTrees({ treesOfAgents, treesOfRuns, agents }: OwnedTreePorts): Promise<ReadonlySet<string>> {
  const owned = new Set(await treesOfRuns());
  for (const [tree, agent] of treesOfAgents()) {
    const record = await agents.find(agent);
    if (record !== undefined && record.endedAt === undefined) owned.add(tree);
  }
  return owned;
}
