/**
 * Merges in a tree that others work in: computed beside it, so that a conflict is known before anything moves.
 *
 *   both commits -> merged content (no tree, no index) -> commit -> index.lock: files, branch by compare-and-swap, index
 *
 * Invariant: where it does not come to its end, tree, index and branch are as they were.
 */
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "../../../contract/index.ts";
import type { MergeOutcome, MergePlace, Merger, Torn } from "../../../coordination/branches/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import { commitPlace, copyWithTime, notPossible, readable, takeLock } from "../commit/index.ts";
import { createGit, GitFailed, type Git } from "../run-git.ts";
import { author } from "../workspaces.ts";
import { locate, resolvedCommit } from "./locate.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Ports = { readonly git: Git; readonly clock: Clock };
type Terms = Parameters<Merger["merge"]>[1];

const mostTries = 5;
const mostLooked = 20;

export function createMerger(clock: Clock, env: Env): Merger {
  const git = createGit(clock, env);
  return {
    locate: (tree, wanted) => locate(git, tree, wanted),
    isMerged: async ({ at, source, into }) =>
      isAncestor(git, at, source, await resolvedCommit(git, at, `refs/heads/${into}`, "into")),
    merge: async (place, terms) => {
      for (let tries = 0; tries < mostTries; tries++) {
        const outcome = await mergeOnce(place, terms, { git, clock });
        if (outcome !== "overtaken") return outcome;
      }
      throw notPossible(`${place.into} moves faster than it could be merged into; try again`, "moving");
    },
  };
}

async function mergeOnce(place: MergePlace, terms: Terms, ports: Ports): Promise<MergeOutcome | "overtaken"> {
  const { git } = ports;
  const { source, at } = place;
  const head = await resolvedCommit(git, at, `refs/heads/${place.into}`, "into");
  if (await isAncestor(git, at, source, head)) return { state: "up-to-date", commit: head };
  const forward = terms.forward && (await isAncestor(git, at, head, source));
  let commit = source;
  if (!forward) {
    const merged = await mergedContent(git, at, head, source);
    if ("torn" in merged) return { state: "conflict", paths: await ownersOf(merged.torn, head, place, git) };
    const args = ["commit-tree", merged.content, "-p", head, "-p", source, "-m", terms.message];
    commit = (await git(at, args, { env: await author(git, at) })).trim();
  }
  const names = await git(at, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", head, commit], {
    encoding: "latin1",
  });
  const paths = names.split("\0").filter(Boolean).map(readable);
  await terms.check(paths);
  const move = (): Promise<boolean> => moveBranch(git, place, head, commit, terms.message);
  const hasMoved = place.tree === undefined ? await move() : await moveTree(place.tree, head, commit, move, ports);
  return hasMoved ? { state: "merged", commit, paths } : "overtaken";
}

type Merged = { readonly content: string } | { readonly torn: readonly string[] };

async function mergedContent(git: Git, tree: string, head: string, source: string): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", head, source];
  try {
    return { content: (await git(tree, args, { encoding: "latin1" })).split("\0", 1)[0]!.trim() };
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const [content = "", ...names] = error.stdout.split("\0");
    if (error.exitCode === 1 && /^[0-9a-f]{40,64}$/.test(content)) return { torn: [...new Set(names.filter(Boolean))] };
    if (/unrelated histories/.test(error.stderr))
      throw notPossible("the two branches have no commit in common; merge them by hand", "unrelated", error);
    throw new DomainError(
      "workspace.unavailable",
      `git could not merge beside the tree: ${error.stderr.trim().slice(0, 300)}; it needs git 2.38 or newer`,
      { details: { tree }, cause: error },
    );
  }
}

async function ownersOf(
  torn: readonly string[],
  head: string,
  { source, at }: MergePlace,
  git: Git,
): Promise<readonly Torn[]> {
  const last = async (from: string, to: string, bytes: string): Promise<string> => {
    const found = await git(at, ["log", "-1", "--format=%an in %h", `${from}..${to}`, "--", readable(bytes)], {
      env: { GIT_LITERAL_PATHSPECS: "1" },
    });
    return found.trim() || "an unknown author";
  };
  return Promise.all(
    torn.map(async (bytes, index) =>
      index < mostLooked
        ? { path: readable(bytes), ours: await last(source, head, bytes), theirs: await last(head, source, bytes) }
        : { path: readable(bytes), ours: "not looked at", theirs: "not looked at" },
    ),
  );
}

/** Other gits wait for the lock: none can commit the old files on top of the new branch. */
async function moveTree(
  tree: string,
  head: string,
  commit: string,
  move: () => Promise<boolean>,
  { git, clock }: Ports,
): Promise<boolean> {
  const { index } = await commitPlace(git, tree);
  const folder = mkdtempSync(join(tmpdir(), "sylk-index-"));
  const scratch = join(folder, "index");
  const env = { GIT_INDEX_FILE: scratch };
  const lock = `${index}.lock`;
  await takeLock(lock, clock);
  let isOurs = true;
  try {
    copyWithTime(index, scratch);
    await git(tree, ["update-index", "-q", "--refresh"], { env }).catch(() => {}); // some files have changed
    await readTrees(git, tree, head, commit, env);
    if (!(await move())) {
      await git(tree, ["read-tree", "-m", "-u", commit, head], { env });
      return false;
    }
    copyWithTime(scratch, lock);
    renameSync(lock, index);
    isOurs = false;
    return true;
  } finally {
    if (isOurs) rmSync(lock, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Git looks at all files before it writes the first: where one is in the way, none has changed. */
async function readTrees(git: Git, tree: string, head: string, commit: string, env: Record<string, string>) {
  try {
    await git(tree, ["read-tree", "-m", "-u", head, commit], { env });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const changes = [...error.stderr.matchAll(/(?:Entry|file) '([^']+)'|^\t(.+)$/gm)].map(
      ([, one, other]) => one ?? other!,
    );
    const named = changes.length === 0 ? error.stderr.trim().slice(0, 300) : changes.slice(0, 20).join(", ");
    throw new DomainError(
      "workspace.dirty",
      `${tree} has uncommitted changes in what would come in: ${named}; commit or stash them, then try again. Nothing was moved`,
      { details: { tree, changes: changes.slice(0, 20) }, cause: error },
    );
  }
}

/** False where the branch is not at `head` any more. */
async function moveBranch(git: Git, { at, into }: MergePlace, head: string, commit: string, note: string) {
  try {
    await git(at, ["update-ref", "-m", note, `refs/heads/${into}`, commit, head]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed && (await resolvedCommit(git, at, `refs/heads/${into}`, "into")) !== head)
      return false;
    throw error;
  }
}

async function isAncestor(git: Git, tree: string, older: string, newer: string): Promise<boolean> {
  try {
    await git(tree, ["merge-base", "--is-ancestor", older, newer]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed && error.exitCode === 1) return false;
    throw error;
  }
}
