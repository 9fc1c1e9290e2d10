/** The place of a commit, and whether it is possible there: branch, its last commit, index and hooks of a working tree. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../contract/index.ts";
import { GitFailed, type Git } from "../run-git.ts";

export type CommitPlace = {
  readonly tree: string;
  readonly commonDir: string;
  readonly index: string;
  readonly hooks: string;
  /** `refs/heads/…` */
  readonly ref: string;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  readonly isSigned: boolean;
};

/** What git calls the branch where there is none. */
const detached = "HEAD";

/** What is under way, by the file git keeps of it, and how it ends. */
const underWay = [
  ["MERGE_HEAD", "a merge", 'finish it with "git commit" or "git merge --abort"'],
  ["CHERRY_PICK_HEAD", "a cherry-pick", '"git cherry-pick --continue" or "--abort" first'],
  ["REVERT_HEAD", "a revert", '"git revert --continue" or "--abort" first'],
  ["rebase-merge", "a rebase", '"git rebase --continue" or "--abort" first'],
  ["rebase-apply", "a rebase", '"git rebase --continue" or "--abort" first'],
] as const;

export async function commitPlace(git: Git, tree: string): Promise<CommitPlace> {
  const [places, signed] = await Promise.all([
    placesOf(git, tree),
    ask(git, tree, ["config", "--type=bool", "--get", "commit.gpgSign"]),
  ]);
  const { gitDir, ...place } = places;
  for (const [file, what, wayOut] of underWay)
    if (existsSync(join(gitDir, file))) throw notPossible(`${what} is under way in this tree; ${wayOut}`, file);
  if (place.ref === detached)
    throw notPossible('HEAD is detached, so no branch would keep the commit; "git switch -c <name>" first', "detached");
  return { ...place, isSigned: signed === "true" };
}

/** From git's own file where there is one, since every process that is started for it makes the commit slower. */
export async function headOf(git: Git, { tree, ref, commonDir }: CommitPlace): Promise<string | undefined> {
  const loose = await readFile(join(commonDir, ref), "utf8").catch(() => "");
  if (/^[0-9a-f]{40,64}\n$/.test(loose)) return loose.trim();
  return ask(git, tree, ["rev-parse", "--quiet", "--verify", `${ref}^{commit}`]);
}

export function notPossible(why: string, state: string, cause?: unknown): DomainError {
  return new DomainError("commit.not-possible", `No commit was made: ${why}`, { details: { state }, cause });
}

type Places = Omit<CommitPlace, "isSigned"> & { readonly gitDir: string };

async function placesOf(git: Git, tree: string): Promise<Places> {
  const folders = ["--show-toplevel", "--git-dir", "--git-common-dir", "--git-path", "index", "--git-path", "hooks"];
  const places = ["rev-parse", "--path-format=absolute", ...folders];
  const read = async (...more: readonly string[]): Promise<Places> => {
    const lines = (await git(tree, [...places, ...more], { withHooks: true })).split("\n");
    const [root = "", gitDir = "", commonDir = "", index = "", hooks = "", head = "", ref = ""] = lines;
    return { tree: root, gitDir, commonDir, index, hooks, head: head === "" ? undefined : head, ref };
  };
  try {
    return await read("HEAD", "--symbolic-full-name", "HEAD");
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
  }
  // Before the first commit there is no HEAD to ask for.
  try {
    return { ...(await read()), ref: (await ask(git, tree, ["symbolic-ref", "--quiet", "HEAD"])) ?? detached };
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new DomainError("workspace.unavailable", `${tree} is not a git working tree; commit inside one`, {
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
