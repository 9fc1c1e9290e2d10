/** Handlers of `sylk who` and `sylk agent show`. */
import { defined } from "../../platform/defined.ts";
import { type OperationHandlers, overProjects } from "../../platform/operations/index.ts";
import { pageOfAgents } from "../registry/index.ts";
import type { PresenceRepositories } from "./list-presence.ts";
import { presentAgents, type PresentPorts } from "./present-agents.ts";
import { showAgent } from "./show-agent.ts";

export type PresenceHandlerPorts = PresentPorts & {
  /** Clients of a tree whose hooks are missing or not trusted, a sentence each. */
  readonly notInstalled: (tree: string) => readonly string[];
  /** Why coordination is not enforced now; undefined while it is. */
  readonly whyNotEnforced: () => Promise<string | undefined>;
};

/** A list of agents that are not kept apart says so. */
export function presenceHandlers(
  ports: PresenceHandlerPorts,
): OperationHandlers<PresenceRepositories, "agent.list" | "agent.get"> {
  return {
    "agent.list": async (input, call) => {
      const caller = overProjects(call.caller, input.all);
      const notEnforced = await ports.whyNotEnforced();
      const { found, ...page } = await pageOfAgents(input, caller, ports);
      const own = caller.kind === "agent" ? caller.tree : caller.project?.path;
      const trees = new Set([...(own === undefined ? [] : [own]), ...found.map(({ agent }) => agent.tree)]);
      // Looks at the files now, so that the guards of the agents rest on the same look.
      const missing = new Set([...trees].flatMap((tree) => ports.notInstalled(tree)));
      const notInstalled = missing.size === 0 ? undefined : [...missing];
      const items = await presentAgents(found, caller.project?.id, ports);
      return { ...page, items, ...defined({ notEnforced, notInstalled }) };
    },
    "agent.get": ({ id }, { caller }) => showAgent(id, caller, ports),
  };
}
