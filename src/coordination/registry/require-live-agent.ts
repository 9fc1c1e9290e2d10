/** Asked inside the transaction: an agent that ended after it was authenticated must not hold anything. */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import type { AgentRepository } from "./store.ts";

export async function requireLiveAgent(
  { agent }: AgentCaller,
  tx: { readonly agents: AgentRepository },
): Promise<void> {
  const record = await tx.agents.find(agent.id);
  if (record !== undefined && record.endedAt === undefined) return;
  throw new DomainError("agent.ended", `${agent.name} has ended; register its session key again to go on`, {
    details: { agent: refOf(agent) },
  });
}
