/** Handler of `sylk who`. */
import type { Agent, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { type OperationHandlers, overProjects } from "../../platform/operations/index.ts";
import { listPresence, type PresencePorts, type PresenceRepositories } from "./list-presence.ts";

type Present = OutputOf<"agent.list">["items"][number];

export type PresenceHandlerPorts = PresencePorts & {
  /** Whether the kernel keeps files of others read-only for an agent's shell commands. */
  readonly shellOf: (agent: Agent) => Promise<Pick<Present, "shell" | "shellReason">>;
  /** Whether hooks ask before an agent's edits. */
  readonly guardOf: (agent: Agent) => Promise<Pick<Present, "guard" | "guardReason">>;
  /** Clients of a tree whose hooks are missing or not trusted, a sentence each. */
  readonly notInstalled: (tree: string) => readonly string[];
  /** Why coordination is not enforced now; undefined while it is. */
  readonly whyNotEnforced: () => Promise<string | undefined>;
};

/** A list of agents that are not kept apart says so. */
export function presenceHandlers(ports: PresenceHandlerPorts): OperationHandlers<PresenceRepositories, "agent.list"> {
  return {
    "agent.list": async (input, call) => {
      const caller = overProjects(call.caller, input.all);
      const notEnforced = await ports.whyNotEnforced();
      const { items, ...page } = await listPresence(input, caller, ports);
      const present = await Promise.all(
        items.map(async (agent) => ({ ...agent, ...(await protectionOf(agent, ports)) })),
      );
      const own = caller.kind === "agent" ? caller.tree : caller.project?.path;
      const trees = new Set([...(own === undefined ? [] : [own]), ...items.map(({ tree }) => tree)]);
      const missing = new Set([...trees].flatMap((tree) => ports.notInstalled(tree)));
      const notInstalled = missing.size === 0 ? undefined : [...missing];
      return { ...page, items: present, ...defined({ notEnforced, notInstalled }) };
    },
  };
}

type Protection = Pick<Present, "guard" | "guardReason" | "shell" | "shellReason">;

/** Guards are for agents: a person at a keyboard is not one that lacks them. */
async function protectionOf(agent: Agent, { guardOf, shellOf }: PresenceHandlerPorts): Promise<Protection> {
  if (agent.client === "human") return { guard: "person", shell: "person" };
  return { ...(await guardOf(agent)), ...(await shellOf(agent)) };
}
