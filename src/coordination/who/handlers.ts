/** Handler of `sylk who`. */
import type { Agent, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { listPresence, type PresencePorts, type PresenceRepositories } from "./list-presence.ts";

type Present = OutputOf<"agent.list">["items"][number];

export type PresenceHandlerPorts = PresencePorts & {
  /** Whether the kernel keeps files of others read-only for an agent's shell commands. */
  readonly shellOf: (agent: Agent) => Promise<Pick<Present, "shell" | "shellReason">>;
  /** Why coordination is not enforced now; undefined while it is. */
  readonly whyNotEnforced: () => Promise<string | undefined>;
};

/** A list of agents that are not kept apart says so. */
export function presenceHandlers(ports: PresenceHandlerPorts): OperationHandlers<PresenceRepositories, "agent.list"> {
  return {
    "agent.list": async (input, { caller }) => {
      const notEnforced = await ports.whyNotEnforced();
      const { items, ...page } = await listPresence(input, caller, ports);
      const present = await Promise.all(items.map(async (agent) => ({ ...agent, ...(await ports.shellOf(agent)) })));
      return { ...page, items: present, ...defined({ notEnforced }) };
    },
  };
}
