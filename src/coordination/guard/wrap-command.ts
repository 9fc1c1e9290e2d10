/**
 * For commands that the daemon itself runs for an agent: the same holds as in the agent's own shell, so that there is no way
 * round through us.
 *
 *   wrapCommand(argv, agent) -> argv to start, and what to say of its output afterwards
 */
import type { AgentCaller } from "../../contract/index.ts";
import { confineCommand, type ConfinePorts } from "./confine-command.ts";
import { explainBlocked } from "./explain-blocked.ts";
import type { GuardPorts } from "./ports.ts";

export type WrappedCommand = {
  readonly argv: readonly string[];
  /** Whose hold stopped it; undefined where none did. */
  explain(output: string): Promise<string | undefined>;
};
type Command = { readonly argv: readonly string[]; readonly cwd: string };

/** Throws `write.unenforced` where guard.enforce is on and the kernel cannot do it. */
export async function wrapCommand(
  { argv, cwd }: Command,
  caller: AgentCaller,
  ports: ConfinePorts & Pick<GuardPorts, "liveness">,
): Promise<WrappedCommand> {
  const { words, state } = await confineCommand({ cwd }, caller, ports);
  return {
    argv: [...words, ...argv],
    explain: async (output) => (state === "enforced" ? explainBlocked(output, caller, ports) : undefined),
  };
}
