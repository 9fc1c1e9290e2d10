/** The port of worktrees to git; `adapters/git` implements it. A folder's name says whose it is, so that a restart forgets none. */
import type { Worktree } from "../../contract/index.ts";

export type Worktrees = {
  /** From the commit of `tree`; the same again where it is there already. */
  make(
    tree: string,
    owner: Pick<Worktree, "agent" | "name">,
  ): Promise<{ readonly worktree: Worktree; readonly isNew: boolean; readonly notice: string | undefined }>;
  list(tree: string): Promise<readonly Worktree[]>;
  /** What is not saved elsewhere is kept by the reference it answers with. */
  remove(tree: string, worktree: Worktree): Promise<{ readonly quarantined: string | undefined }>;
};
