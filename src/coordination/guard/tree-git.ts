/** The port by which the guard asks git what a command would change. `adapters/git` implements it. */

export type GitCommand = { readonly folder: string; readonly args: readonly string[] };

export type Touched = {
  /** From the root of the tree; a folder with all in it ends in a slash. */
  readonly paths: readonly string[];
  /** What git could not say, and why. */
  readonly unknown?: string;
  /** Git did not answer in time: any file may be meant. */
  readonly isLate?: true;
  /** It is an alias for this shell command. */
  readonly stands?: { readonly command: string; readonly folder: string };
};

export type TreeGit = {
  /** Answers within a second, whatever the size of the tree. */
  touchedBy(command: GitCommand): Promise<Touched>;
  /** Files that differ from HEAD, and new ones that are not ignored; undefined where git did not answer. */
  changed(tree: string): Promise<readonly string[] | undefined>;
};
