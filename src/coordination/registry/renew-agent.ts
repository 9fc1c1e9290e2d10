/**
 * Any call of an agent is a sign of life, of itself and of those whose sub-agent it is: a parent that waits for its
 * children says nothing meanwhile. Those of them that were found offline come back, parents first.
 */
import type { Homecoming } from "../../contract/index.ts";
import type { RegistryPorts } from "./ports.ts";
import type { AgentRecord, AgentRepository } from "./store.ts";

/** The belongings that the agent itself got back, if it had been offline. */
export async function renewAgent(record: AgentRecord, ports: RegistryPorts): Promise<Homecoming | undefined> {
  const ancestors = await ancestorsOf(record, ports.store.reader.agents);
  for (const { id } of [record, ...ancestors]) ports.liveness.touch(id);
  for (const { id, offlineAt } of ancestors.toReversed()) if (offlineAt !== undefined) await ports.bringBack(id);
  return record.offlineAt === undefined ? undefined : ports.bringBack(record.id);
}

/** The nearest first. */
async function ancestorsOf(record: AgentRecord, agents: AgentRepository): Promise<readonly AgentRecord[]> {
  const found: AgentRecord[] = [];
  for (let next = record.parent; next !== undefined;) {
    const parent = await agents.find(next);
    if (parent === undefined || parent.endedAt !== undefined) break;
    found.push(parent);
    next = parent.parent;
  }
  return found;
}
