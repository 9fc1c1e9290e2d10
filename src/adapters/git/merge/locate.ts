/** Which commits a merge brings together, and which working tree has the target checked out. */
import { invalidInput } from "../../../contract/index.ts";
import type { MergePlace, Merger } from "../../../coordination/branches/index.ts";
import { commitPlace } from "../commit/index.ts";
import { GitFailed, type Git } from "../run-git.ts";

type Wanted = Parameters<Merger["locate"]>[1];

export async function locate(
  git: Git,
  tree: string,
  { branch: named, into: wanted, commit }: Wanted,
): Promise<MergePlace> {
  const target = await treeOf(git, tree, wanted);
  const place = target === undefined ? undefined : await commitPlace(git, target);
  const into = wanted ?? place!.ref.replace(/^refs\/heads\//, "");
  const branch = named ?? (await upstreamOf(git, tree, into));
  const at = place?.tree ?? tree;
  const source = await resolvedCommit(git, at, commit ?? branch, named === undefined ? "from" : "branch");
  const head = await resolvedCommit(git, at, `refs/heads/${into}`, "into");
  return { branch, source, into, head, tree: place?.tree, at };
}

export async function resolvedCommit(git: Git, tree: string, name: string, field: string): Promise<string> {
  try {
    return (await git(tree, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`])).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw invalidInput(
      field,
      `there is no ${name.replace(/^refs\/heads\//, "")} here; "git branch --all" lists what there is`,
    );
  }
}

/** Undefined where no working tree has it checked out. */
async function treeOf(git: Git, tree: string, into: string | undefined): Promise<string | undefined> {
  if (into === undefined) return tree;
  const text = await git(tree, ["worktree", "list", "--porcelain", "-z"]);
  const trees = text.split("\0\0").map((part) => part.split("\0"));
  const found = trees.find((facts) => facts.includes(`branch refs/heads/${into}`));
  return found?.find((fact) => fact.startsWith("worktree "))?.slice("worktree ".length);
}

async function upstreamOf(git: Git, tree: string, branch: string): Promise<string> {
  try {
    return (await git(tree, ["rev-parse", "--abbrev-ref", `${branch}@{upstream}`])).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw invalidInput(
      "from",
      `${branch} has no upstream; name the branch to merge, or "git branch --set-upstream-to" one`,
    );
  }
}
