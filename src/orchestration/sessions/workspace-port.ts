/**
 * The working tree of a run: made from a commit, changed by Engineers, committed on its own branch, then merged or moved to
 * quarantine. Its content is never just deleted.
 */
export type Workspace = {
  readonly tree: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** The user's tree that it was made from. */
  readonly repository: string;
};

export type FileChange = { readonly path: string; readonly kind: "added" | "modified" | "deleted" };

export type DiffSummary = {
  readonly files: readonly (FileChange & {
    readonly added: number | undefined;
    readonly removed: number | undefined;
  })[];
  readonly patch: string;
  /** True when the patch was cut at the size limit. The summary is complete. */
  readonly truncated: boolean;
};

export type WorkspacePort = {
  /** Chooses the location without changing anything. Throws without git, a repository or a commit. */
  prepare(from: { readonly repository: string; readonly name: string }): Promise<{
    readonly workspace: Workspace;
    /** What the user should know, for example that uncommitted changes stay behind. */ readonly notice:
      | string
      | undefined;
  }>;
  /** Creates the tree unless it exists. Safe to call again after a crash. */
  ensure(workspace: Workspace): Promise<void>;
  /** A hash of the current content, committed or not. */
  contentHash(tree: string): Promise<string>;
  /** Runs a check. Files that are new after it are not part of the change; files that Engineers wrote always are. */
  leaveOutNewFiles<T>(workspace: Workspace, check: () => Promise<T>): Promise<T>;
  /** Commits the current content on the branch. Returns the existing commit if nothing changed. */
  commit(workspace: Workspace, message: string): Promise<string>;
  changes(workspace: Workspace): Promise<readonly FileChange[]>;
  /** Without its tree and branch: the diff of this commit, or what quarantine keeps. */
  diff(workspace: Workspace, commit?: string): Promise<DiffSummary>;
  /** A file of the base commit; undefined if it does not exist there. */
  baseFile(workspace: Workspace, path: string): Promise<string | undefined>;
  /** Names of the files of one folder of the base commit; "" is the root. */
  baseNames(workspace: Workspace, folder: string): Promise<readonly string[]>;
  /**
   * Removes tree and branch if they hold nothing that is not in this commit; otherwise removes nothing and says what they
   * hold. Safe to call again after a crash.
   */
  clear(workspace: Workspace, upTo: string): Promise<{ readonly kept: string | undefined }>;
  /** Saves everything under a quarantine reference, then removes tree and branch. Safe to call again after a crash. */
  quarantine(workspace: Workspace): Promise<{ readonly reference: string }>;
};
