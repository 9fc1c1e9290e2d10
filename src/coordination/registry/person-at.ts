/** The person at this machine as an agent: for what the user does that agents are told of. */
import type { AgentCaller } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import { humanAgent, projectAt } from "./find-actor.ts";
import type { RegistryPorts } from "./ports.ts";

export async function personAt(tree: string, ports: RegistryPorts): Promise<AgentCaller> {
  const record = await humanAgent(tree, await projectAt(tree, ports), ports);
  return { kind: "agent", agent: refOf(record), project: record.project, tree: record.tree };
}
