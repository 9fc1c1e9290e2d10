/** Handlers of agents in the registry; `who/`, `agent-end/` and `handoff/` handle the rest of `contract/agent.ts`. */
import type { Agent, Pending } from "../../contract/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { heartbeatAgent } from "./heartbeat-agent.ts";
import type { RegistryPorts } from "./ports.ts";
import { projectWanted, registerAgent } from "./register-agent.ts";
import type { RegistryRepositories } from "./store.ts";

export type RegistryHandlerPorts = RegistryPorts & {
  /** Tells an agent of blocking findings in files that it came to hold. */
  readonly remindHolder: (agent: Agent) => Promise<void>;
  /** Counts the mail, notices and findings that wait for an agent. */
  readonly pendingFor: (agent: Agent) => Promise<Pending>;
};

export function registryHandlers(
  ports: RegistryHandlerPorts,
): OperationHandlers<RegistryRepositories, "agent.register" | "agent.heartbeat"> {
  return {
    "agent.register": async (input, call) =>
      registerAgent({ ...input, project: projectWanted(input, call.caller) }, call, ports),
    // A reminder is a notice: it comes first, so that the counts include it.
    "agent.heartbeat": async ({ id }, { caller }) => {
      const { agent, ...heard } = await heartbeatAgent(id, caller, ports);
      await ports.remindHolder(agent);
      return { ...heard, agent, pending: await ports.pendingFor(agent) };
    },
  };
}
