/** Agents of one client session: it knows itself what its sub-agents do. */
import type { AgentId } from "../../contract/index.ts";
import type { AgentRepository } from "../registry/index.ts";

type Agents = Pick<AgentRepository, "find">;

/** Everyone above an agent, the nearest first. */
export async function ancestorsOf(agent: AgentId, agents: Agents): Promise<readonly AgentId[]> {
  const found: AgentId[] = [];
  for (let next = (await agents.find(agent))?.parent; next !== undefined; next = (await agents.find(next))?.parent)
    found.push(next);
  return found;
}

export async function isSameFamily(one: AgentId, other: AgentId, agents: Agents): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((id) => headOf(id, agents)));
  return first === second;
}

/** The agent at the top of a client session, which represents all of it. */
export async function headOf(agent: AgentId, agents: Agents): Promise<AgentId> {
  return (await ancestorsOf(agent, agents)).at(-1) ?? agent;
}
