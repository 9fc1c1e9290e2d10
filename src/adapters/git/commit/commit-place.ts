/** Where a commit would go, and whether it can: branch, the commit it stands on, index and hooks of a working tree. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../contract/index.ts";
import { GitFailed, type Git } from "../run-git.ts";

export type CommitPlace = {
  readonly tree: string;
  readonly index: string;
  readonly hooks: string;
  /** `refs/heads/…` */
  readonly ref: string;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  readonly isSigned: boolean;
};

/** What is under way, by the file git keeps of it, and how it ends. */
const underWay = [
  ["MERGE_HEAD", "a merge", 'finish it with "git commit" or "git merge --abort"'],
  ["CHERRY_PICK_HEAD", "a cherry-pick", '"git cherry-pick --continue" or "--abort" first'],
  ["REVERT_HEAD", "a revert", '"git revert --continue" or "--abort" first'],
  ["rebase-merge", "a rebase", '"git rebase --continue" or "--abort" first'],
  ["rebase-apply", "a rebase", '"git rebase --continue" or "--abort" first'],
] as const;

export async function commitPlace(git: Git, tree: string): Promise<CommitPlace> {
  const [places, ref, head, signed] = await Promise.all([
    placesOf(git, tree),
    ask(git, tree, ["symbolic-ref", "--quiet", "HEAD"]),
    ask(git, tree, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]),
    ask(git, tree, ["config", "--type=bool", "--get", "commit.gpgSign"]),
  ]);
  const [root = "", gitDir = "", index = "", hooks = ""] = places;
  for (const [file, what, wayOut] of underWay)
    if (existsSync(join(gitDir, file))) throw notPossible(`${what} is under way in this tree; ${wayOut}`, file);
  if (ref === undefined)
    throw notPossible('HEAD is detached, so no branch would keep the commit; "git switch -c <name>" first', "detached");
  return { tree: root, index, hooks, ref, head, isSigned: signed === "true" };
}

export async function headOf(git: Git, { tree, ref }: CommitPlace): Promise<string | undefined> {
  return ask(git, tree, ["rev-parse", "--quiet", "--verify", `${ref}^{commit}`]);
}

export function notPossible(why: string, state: string, cause?: unknown): DomainError {
  return new DomainError("commit.not-possible", `No commit was made: ${why}`, { details: { state }, cause });
}

async function placesOf(git: Git, tree: string): Promise<readonly string[]> {
  const wanted = ["--show-toplevel", "--git-dir", "--git-path", "index", "--git-path", "hooks"];
  try {
    return (await git(tree, ["rev-parse", "--path-format=absolute", ...wanted], { withHooks: true })).split("\n");
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new DomainError("workspace.unavailable", `${tree} is no working tree of git; commit inside of one`, {
      details: { tree },
      cause: error,
    });
  }
}

/** Undefined where git says by its exit code that there is none. */
async function ask(git: Git, tree: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await git(tree, args)).trim();
  } catch (error) {
    if (error instanceof GitFailed && error.exitCode === 1) return undefined;
    throw error;
  }
}
