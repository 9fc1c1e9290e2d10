/** An agent that was found offline and is heard of again; one event, however many calls notice it at once. */
import { agent as contract } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import type { RegistryPorts } from "./register-agent.ts";
import type { AgentRecord } from "./store.ts";

export async function markReturned({ id, project }: AgentRecord, { store }: RegistryPorts): Promise<void> {
  await store.transact(project.id, async (tx) => {
    const current = await tx.agents.find(id);
    if (current === undefined || current.offlineAt === undefined) return;
    await tx.agents.update({ ...current, offlineAt: undefined });
    await tx.events.append(project.id, contract.AgentReturned.of(id, { agent: refOf(current) }));
  });
}
