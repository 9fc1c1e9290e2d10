/** Handler of an agent's handoff record: what `contract/agent-handoff.ts` names. */
import type { OperationHandlers } from "../../platform/operations/index.ts";
import type { HandoffPorts, HandoffRepositories } from "./ports.ts";
import { readHandoff } from "./read-handoff.ts";

export function handoffHandlers(ports: HandoffPorts): OperationHandlers<HandoffRepositories, "agent.handoff"> {
  return { "agent.handoff": ({ id }, { caller }) => readHandoff(id, caller, ports) };
}
