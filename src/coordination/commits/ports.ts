/** The port of commits to git; `adapters/git` implements it. */

/** `bytes` is its name one character per byte: a file name need not be UTF-8. */
export type ChangedFile = { readonly path: string; readonly bytes: string };
/** `takesAway`: lines of the branch's version are gone from it. */
export type Change = ChangedFile & { readonly takesAway: boolean };

type Wanted = {
  readonly tree: string;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  /** Whom the repository's hooks take for the committer. */
  readonly agent: string;
  readonly hookMs: number;
};
type Landed = { readonly commit: string; readonly subject: string };

/** A commit that is not on its branch yet, in a throw-away index. */
export type Draft = AsyncDisposable & {
  readonly branch: string;
  readonly changes: readonly Change[];
  /** Those of its paths that it sets back to a version which the branch had before. */
  setBack(paths: readonly string[]): Promise<readonly string[]>;
  /** The repository's own; what the commit changes now, since hooks may stage more. */
  runHooks(): Promise<readonly Change[]>;
  /** "overtaken": one of its paths was committed by another agent meanwhile; draft it again. */
  land(): Promise<Landed | "overtaken">;
  /** After it has landed; answers with what went wrong, which changes nothing any more. */
  finish(): Promise<readonly string[]>;
};

export type Committer = {
  /** Files that differ from the branch, in or below the named ones; all where none is named. */
  changedFiles(tree: string, below: readonly string[]): Promise<readonly ChangedFile[]>;
  draft(wanted: Wanted): Promise<Draft>;
};
