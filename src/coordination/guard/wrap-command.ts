/**
 * For commands that the daemon itself runs for an agent: the same holds as in the agent's own shell, so that there is no way
 * round through us.
 *
 *   wrapCommand(argv, agent) -> argv to start, and what to say of its output afterwards
 */
import { type AgentCaller, type AgentId, DomainError } from "../../contract/index.ts";
import { refOf } from "../registry/index.ts";
import { confineCommand, type ConfinePorts } from "./confine-command.ts";
import { explainBlocked } from "./explain-blocked.ts";
import type { GuardPorts } from "./ports.ts";

export type WrappedCommand = {
  readonly argv: readonly [string, ...string[]];
  /** Whose hold stopped it; undefined where none did. */
  explain(output: string): Promise<string | undefined>;
};
type Command = { readonly argv: readonly [string, ...string[]]; readonly cwd: string };

/** Throws `write.unenforced` where guard.enforce is on and the kernel cannot do it. */
export async function wrapCommand(
  { argv, cwd }: Command,
  agent: AgentId,
  ports: ConfinePorts & Pick<GuardPorts, "liveness">,
): Promise<WrappedCommand> {
  const caller = await callerOf(agent, ports);
  const { words, state } = await confineCommand({ cwd }, caller, ports);
  const [program = argv[0], ...rest] = [...words, ...argv];
  return {
    argv: [program, ...rest],
    explain: async (output) => (state === "enforced" ? explainBlocked(output, caller, ports) : undefined),
  };
}

/** Also an agent that has ended: its command is no less a command of an agent. */
async function callerOf(id: AgentId, { store }: Pick<ConfinePorts, "store">): Promise<AgentCaller> {
  const record = await store.reader.agents.find(id);
  if (record === undefined)
    throw new DomainError("agent.not-found", `The agent ${id} that asked for this command is not known any more`, {
      details: { id },
    });
  return { kind: "agent", agent: refOf(record), project: record.project, tree: record.tree };
}
