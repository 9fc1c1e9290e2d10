/**
 * Whether files of others are read-only for an agent's shell commands, as far as it is known. A client that can put our
 * prefix before its commands counts as enforced once one of its commands has asked: nothing says "enforced" before it is.
 */
import type { AgentId, ClientName } from "../../contract/index.ts";
import type { AgentRepository } from "../registry/index.ts";
import { type ConfinePorts, stateIn } from "./confine-command.ts";
import { headOf } from "./family.ts";

export type ShellState = {
  readonly shell: "enforced" | "not-enforced" | "unknown";
  readonly shellReason?: string;
};
export type ShellStates = {
  /** A command of this agent's session has asked how to start. */
  asked(agent: AgentId): Promise<void>;
  of(agent: { readonly id: AgentId; readonly client: ClientName; readonly tree: string }): Promise<ShellState>;
};

const mostKept = 10_000;

export function createShellStates(
  ports: Pick<ConfinePorts, "confinement" | "enforce" | "policyFor"> & {
    readonly agents: Pick<AgentRepository, "find">;
    /** The clients that start shell commands by a program of our choice. */
    readonly prefixedClients: ReadonlySet<ClientName>;
  },
): ShellStates {
  const heads = new Set<AgentId>();
  return {
    async asked(agent) {
      if (heads.size >= mostKept) heads.delete(heads.values().next().value!);
      heads.add(await headOf(agent, ports.agents));
    },
    async of({ id, client, tree }) {
      const hasAsked = heads.has(await headOf(id, ports.agents));
      if (!hasAsked && !ports.prefixedClients.has(client))
        return { shell: "not-enforced", shellReason: "its client has no way to start commands by Sylk" };
      const state = await stateIn(tree, ports);
      if (!state.enforced) return { shell: "not-enforced", shellReason: state.reason };
      return hasAsked
        ? { shell: "enforced" }
        : { shell: "unknown", shellReason: "no shell command of its session has asked yet" };
    },
  };
}
