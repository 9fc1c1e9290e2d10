/**
 * Commands run for agents and checks: argv, no shell, a process group of their own, recorded before they run.
 */
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

export type CommandPort = {
  run(request: CommandRequest): Promise<CommandResult>;
  /** Ends the group if it is still the same process; resolves when it is gone. */
  endGroup(process: ProcessIdentity): Promise<void>;
};
