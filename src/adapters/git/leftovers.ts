/**
 * Clears the leftovers of ended sessions: working trees that no run knows any more, and throw-away files.
 *
 *   clean, and its commit is on another branch -> removed
 *   anything else                              -> quarantine: a reference keeps it, then the tree goes
 */
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../platform/clock/index.ts";
import type { WorkspacePort } from "../../orchestration/sessions/index.ts";
import { GitFailed, type Git } from "./run-git.ts";

type Ports = { readonly git: Git; readonly workspaces: WorkspacePort; readonly clock: Clock };
type Place = {
  /** The git common directory whose trees are looked at. */
  readonly repository: string;
  /** Any tree of it, to work from. */
  readonly tree: string;
  /** Where our working trees are. */
  readonly folder: string;
  readonly logs: string;
  /** Trees that belong to runs; asked only where there is a tree at all. */
  readonly knownTrees: () => Promise<ReadonlySet<string>>;
};
type Cleared = { readonly removed: string[]; readonly quarantined: string[] };

const mostTrees = 20;
/** A throw-away index lives for the time of one git command. */
const strayAfterMs = 3_600_000;

export async function clearLeftovers(place: Place, ports: Ports): Promise<Cleared> {
  const cleared: Cleared = { removed: [], quarantined: [] };
  for (const tree of (await ownerlessTrees(place)).slice(0, mostTrees)) await clearTree(tree, place, ports, cleared);
  for (const stray of strays(place.logs, ports.clock)) {
    rmSync(stray, { recursive: true, force: true });
    cleared.removed.push(stray);
  }
  return cleared;
}

/** A tree that was torn in the making was put aside already; its name says so. */
async function ownerlessTrees({ folder, knownTrees }: Place): Promise<readonly string[]> {
  const trees = namesIn(folder)
    .filter((name) => !name.includes(".incomplete"))
    .map((name) => join(folder, name))
    .filter((tree) => existsSync(join(tree, ".git")));
  const known = trees.length === 0 ? new Set() : await knownTrees();
  return trees.filter((tree) => !known.has(tree));
}

export async function clearTree(
  tree: string,
  place: Pick<Place, "repository" | "tree">,
  { git, workspaces }: Pick<Ports, "git" | "workspaces">,
  cleared: Cleared,
): Promise<void> {
  const facts = await factsOf(tree, git);
  if (facts === undefined || facts.repository !== place.repository) return;
  const { branch, head } = facts;
  const isClean = (await git(tree, ["status", "--porcelain"])) === "";
  const holders = await git(tree, [
    "for-each-ref",
    "--format=%(refname)",
    "--contains",
    head,
    "refs/heads",
    "refs/remotes",
  ]);
  const isElsewhere = holders.split("\n").some((name) => name !== "" && name !== `refs/heads/${branch}`);
  if (isClean && isElsewhere) {
    await git(place.tree, ["worktree", "remove", tree]);
    if (branch.startsWith("sylk/")) await git(place.tree, ["branch", "--quiet", "-D", branch]);
    cleared.removed.push(tree);
    return;
  }
  const workspace = { tree, branch, baseCommit: head, repository: place.tree };
  cleared.quarantined.push((await workspaces.quarantine(workspace)).reference);
}

/** Undefined for a tree that is not on a branch of ours, or whose link to git leads nowhere: that may be the user's own. */
async function factsOf(tree: string, git: Git) {
  try {
    const ask = async (...args: string[]): Promise<string> => (await git(tree, args)).trim();
    const branch = await ask("symbolic-ref", "--short", "HEAD");
    if (!branch.startsWith("sylk/")) return undefined;
    const repository = await ask("rev-parse", "--path-format=absolute", "--git-common-dir");
    return { branch, repository, head: await ask("rev-parse", "--verify", "HEAD^{commit}") };
  } catch (error) {
    if (error instanceof GitFailed) return undefined;
    throw error;
  }
}

function strays(logs: string, clock: Clock): readonly string[] {
  const indexes = namesIn(tmpdir()).filter((name) => name.startsWith("sylk-index-"));
  const outcomes = namesIn(logs).filter((name) => /^hook-outcomes\.jsonl\.\d+$/.test(name));
  return [...indexes.map((name) => join(tmpdir(), name)), ...outcomes.map((name) => join(logs, name))].filter(
    (path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || (process.getuid !== undefined && found.uid !== process.getuid())) return false;
      return clock.now() - found.mtimeMs > strayAfterMs;
    },
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error; // unread is not empty: the session's first line says that what is left is unknown
  }
}
