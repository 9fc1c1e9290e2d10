/** Handler of `sylk who`. */
import { defined } from "../../platform/defined.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import { listPresence, type PresencePorts, type PresenceRepositories } from "./list-presence.ts";

export type PresenceHandlerPorts = PresencePorts & {
  /** Why coordination is not enforced now; undefined while it is. */
  readonly whyNotEnforced: () => Promise<string | undefined>;
};

/** A list of agents that are not kept apart says so. */
export function presenceHandlers(ports: PresenceHandlerPorts): OperationHandlers<PresenceRepositories, "agent.list"> {
  return {
    "agent.list": async (input, { caller }) => {
      const notEnforced = await ports.whyNotEnforced();
      return { ...(await listPresence(input, caller, ports)), ...defined({ notEnforced }) };
    },
  };
}
