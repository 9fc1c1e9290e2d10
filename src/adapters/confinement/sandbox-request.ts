/** What a run's command may reach. */
export type SandboxRequest = {
  /** The run's working tree; the command starts in it or below. */
  readonly tree: string;
  /** Further folders that the command may write, such as caches. They must exist. */
  readonly writable: readonly string[];
  /** Files and folders that must not be seen. */
  readonly hidden: readonly string[];
  /** Whether the project allows the network. Loopback inside the sandbox always works. */
  readonly network: boolean;
};
