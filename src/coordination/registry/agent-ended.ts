/** The refusal for an agent that has ended: it names the command that brings it back. */
import { DomainError } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import type { AgentRecord } from "./store.ts";

export function agentEnded(record: AgentRecord): DomainError {
  const { name, sessionKey, client } = record;
  const command = `sylk agent register --session-key ${JSON.stringify(sessionKey)} --client ${client}`;
  return new DomainError("agent.ended", `${name} has ended. To continue, register its session key again: ${command}`, {
    details: { agent: refOf(record) },
  });
}
