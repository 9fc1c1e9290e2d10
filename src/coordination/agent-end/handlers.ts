/** Handler of an agent's end. */
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import type { HandoffRepositories } from "../handoff/index.ts";
import { endAgent, type EndAgentPorts } from "./end-agent.ts";

export function agentEndHandlers(
  ports: EndAgentPorts,
): OperationHandlers<HandoffRepositories & { readonly audit: AuditRepository }, "agent.end"> {
  return { "agent.end": ({ id }, call) => endAgent(id, call, ports) };
}
