/**
 * The sandbox for commands that a run's model can influence, and for programs that a repository can: its tree and caches
 * are writable, the rest is read-only, secrets are not there.
 */
import type { ConfinementState } from "../../coordination/guard/index.ts";
import type { CommandRequest } from "./command-port.ts";

export type SandboxPlaces = {
  /** The run's working tree, writable but for its link to git. */
  readonly tree: string;
  /** For programs that only read, such as language servers. */
  readonly isTreeReadOnly?: boolean;
  /** The user's repository, read-only: the tree's git metadata and installed dependencies lie in it. */
  readonly repository: string;
  /** A folder of the run's own, with caches of package managers and compilers in it; it is made when it is missing. */
  readonly caches: string;
  /** Sylk's own places: token, socket, store. */
  readonly hidden: readonly string[];
  /** Whether the user allows the network. Loopback inside the sandbox always works. */
  readonly network: boolean;
};

export type EnclosedCommand = Pick<CommandRequest, "argv" | "cwd" | "env">;

export type Sandbox = {
  /** The result of a real trial on this machine. A failed one is repeated after a while. */
  state(): Promise<ConfinementState>;
  /** The same command, to be started in the sandbox. Asked only while the trial succeeded. */
  enclose(command: EnclosedCommand, places: SandboxPlaces): EnclosedCommand;
};
