/**
 * A session's working tree as the runtime sees it: made from a commit, changed by Engineers, committed on a branch of its
 * own, merged or put into quarantine; nothing in it is ever simply deleted.
 */
export type Workspace = {
  readonly tree: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** The user's own tree it was made from. */
  readonly repository: string;
};

export type FileChange = { readonly path: string; readonly kind: "added" | "modified" | "deleted" };

export type DiffSummary = {
  readonly files: readonly (FileChange & {
    readonly added: number | undefined;
    readonly removed: number | undefined;
  })[];
  readonly patch: string;
  /** True when the patch was cut at the size limit; the summary is whole. */
  readonly truncated: boolean;
};

export type WorkspacePort = {
  /** Decides where it will be, and changes nothing. Refuses where there is no repository, no commit yet, or no git. */
  prepare(from: { readonly repository: string; readonly name: string }): Promise<{
    readonly workspace: Workspace;
    /** What the user should know, for example that uncommitted changes stay behind. */ readonly notice:
      | string
      | undefined;
  }>;
  /** Makes it unless it is there already: safe to call again after a crash. */
  ensure(workspace: Workspace): Promise<void>;
  /** Identifies the whole content as it is now, committed or not. */
  contentHash(tree: string): Promise<string>;
  /** The commit on the branch that holds the content as it is now; the same one if nothing changed. */
  commit(workspace: Workspace, message: string): Promise<string>;
  changes(workspace: Workspace): Promise<readonly FileChange[]>;
  diff(workspace: Workspace): Promise<DiffSummary>;
  /** A file of the base commit; undefined if it was not there. */
  baseFile(workspace: Workspace, path: string): Promise<string | undefined>;
  /** Brings exactly this commit into the user's tree; refuses a dirty one, and leaves it as it was on conflict. */
  merge(workspace: Workspace, commit: string, message: string): Promise<{ readonly commit: string }>;
  /** Keeps everything under a quarantine reference, then removes tree and branch; safe to call again after a crash. */
  quarantine(workspace: Workspace): Promise<{ readonly reference: string }>;
};
