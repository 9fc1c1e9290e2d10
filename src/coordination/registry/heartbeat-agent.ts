/** A heartbeat does what every call does, for clients that have nothing else to say. */
import { DomainError, type Agent, type AgentId, type Caller } from "../../contract/index.ts";
import { refOf, viewAgent } from "./agent-view.ts";
import { findAgent } from "./list-agents.ts";
import { markReturned } from "./mark-returned.ts";
import type { RegistryPorts } from "./register-agent.ts";

export async function heartbeatAgent(id: AgentId, caller: Caller, ports: RegistryPorts): Promise<Agent> {
  refuseOthers(id, caller, "heartbeat");
  const record = await findAgent(id, caller, ports);
  if (record.endedAt !== undefined) {
    throw new DomainError("agent.ended", `${record.name} has ended; register its session key again to go on`, {
      details: { agent: refOf(record) },
    });
  }
  ports.liveness.touch(id);
  if (record.offlineAt !== undefined) await markReturned(record, ports);
  return viewAgent({ ...record, offlineAt: undefined }, ports.liveness);
}

/** An agent's token speaks for that agent alone; the user may speak for any. */
export function refuseOthers(id: AgentId, caller: Caller, what: string): void {
  if (caller.kind === "user" || caller.agent.id === id) return;
  throw new DomainError("caller.denied", `${caller.agent.name} cannot ${what} for another agent`, {
    details: { needed: "that agent's own token" },
  });
}
