/**
 * The port by which the kernel keeps files read-only for a command and everything it starts. Its users are the guard, for
 * the files that other agents hold, and executors, for commands that a run's model influences.
 */

/** Places that a command must not change. All paths are absolute. */
export type HeldPlaces = {
  /** Files, and folders with their content. */
  readonly readOnly: readonly string[];
  /** Folders that must stay where they are, so that no read-only place can be moved away with its parent. */
  readonly pinned: readonly string[];
};
export type ConfinementState =
  | { readonly enforced: true; readonly by: string }
  /** The reason is a clause for "not enforced: …". */
  | { readonly enforced: false; readonly reason: string };

/** A command that runs confined: whose it is, and which places are read-only for it. */
export type ConfinedCommand = {
  readonly agent: string;
  readonly tree: string;
  readonly readOnly: readonly string[];
  /** Brings the namespace up to date; answers with what could not be changed. */
  change(changes: { readonly add: readonly string[]; readonly remove: readonly string[] }): Promise<readonly string[]>;
};

export type Confinement = {
  /** The result of a real trial on this machine; made once, and again when it is old. */
  state(): Promise<ConfinementState>;
  /** Program and arguments to put before a command. Asked only while the state is enforced. */
  wordsFor(
    places: HeldPlaces,
    who: { readonly agent: string; readonly tree: string; readonly must: boolean },
  ): readonly string[];
  /** Commands that run confined now; none where they cannot be found. */
  running(): Promise<readonly ConfinedCommand[]>;
};
