import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { scratchPorts } from "../testkit.ts";
import { ownedTrees } from "./owned-trees.ts";

it("keeps the trees of runs and of agents that have not ended, and of no one else", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter");
  await endAgent(otter.caller.agent.id, otter, ports);
  const owned = await ownedTrees({
    treesOfRuns: async () => ["/trees/run"],
    treesOfAgents: () => [
      ["/trees/heron", heron.caller.agent.id],
      ["/trees/otter", otter.caller.agent.id],
      ["/trees/ghost", "agt_unknown" as AgentId],
    ],
    agents: ports.store.reader.agents,
  });
  expect([...owned].toSorted()).toEqual(["/trees/heron", "/trees/run"]);
});
