/**
 * Commands run for agents and checks: argv, no shell, a process group of their own, recorded before they run.
 */
import type { AgentId } from "../../contract/index.ts";

export type CommandRequest = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with the process group before the command's first instruction runs; it waits for the promise. */
  readonly onStarted?: (process: ProcessIdentity) => Promise<void>;
};

/** A process group that can be told from a later one with the same number. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

export type CommandResult = {
  /** exited: it ended by itself; the others never count as success. refused: it never ran, and the output says why. */
  readonly end: "exited" | "timed-out" | "aborted" | "killed" | "not-found" | "refused";
  readonly exitCode: number | undefined;
  /** Both streams, in order of arrival, with the middle cut out when it is long. */
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
};

/** For commands that the daemon runs for an agent: they are under the same holds as the agent's own shell. */
export type WrapCommand = (
  command: Pick<CommandRequest, "argv" | "cwd">,
  agent: AgentId,
) => Promise<{
  readonly argv: CommandRequest["argv"];
  /** Whose hold stopped it; undefined where none did. */
  explain(output: string): Promise<string | undefined>;
}>;

export type CommandPort = {
  run(request: CommandRequest): Promise<CommandResult>;
  /** Ends the group if it is still the same process; resolves when it is gone. */
  endGroup(process: ProcessIdentity): Promise<void>;
};
