/** Asked inside the transaction: an agent that went after it was authenticated must not hold anything. */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { agentEnded } from "./agent-ended.ts";
import { refOf } from "./agent-view.ts";
import type { AgentRepository } from "./store.ts";

export async function requireLiveAgent(
  { agent }: AgentCaller,
  tx: { readonly agents: AgentRepository },
): Promise<void> {
  const record = await tx.agents.find(agent.id);
  if (record === undefined)
    throw new DomainError("agent.ended", `${agent.name} is no longer known here; register it again to continue`, {
      details: { agent: refOf(agent) },
    });
  if (record.endedAt !== undefined) throw agentEnded(record);
  if (record.offlineAt === undefined) return;
  throw new DomainError(
    "agent.ended",
    `${agent.name} went offline while this call was under way, because its process is gone; call again to bring it back`,
    { details: { agent: refOf(agent) } },
  );
}
