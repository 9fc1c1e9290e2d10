/** What the gate watch asks git: where branches are, which commits they got, and whether git runs the commit gate. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BranchHistory, BroughtCommit, GateState } from "../../coordination/gate-watch/index.ts";
import { readable } from "./commit/index.ts";
import { type Git, GitFailed } from "./run-git.ts";

/** Of one move; a branch that gets more is set to another history, and the newest say enough. */
const mostCommits = 200;

/** `hasGate`: whether the text of a hook contains the gate. */
export function createBranchHistory(git: Git, hasGate: (text: string) => boolean): BranchHistory {
  return {
    async tips(tree) {
      if (!isRepository(tree)) return [];
      const format = "%(objectname)%00%(refname:lstrip=2)%00%(worktreepath)";
      const lines = (await git(tree, ["for-each-ref", `--format=${format}`, "refs/heads"])).split("\n").filter(Boolean);
      return lines.map((line) => {
        const [commit = "", branch = "", path = ""] = line.split("\0");
        return { branch, commit, tree: path === "" ? undefined : path };
      });
    },
    async brought(tree, { from, to, known }) {
      const commits = await listed(git, tree, [to], known);
      const differs = from === undefined ? undefined : await changedBetween(git, tree, from, to);
      return commits.map(({ paths, ...commit }) => ({
        ...commit,
        paths: differs === undefined ? paths : paths.filter((path) => differs.has(path)),
      }));
    },
    since: (tree, tip, at) => listed(git, tree, [`--since=${new Date(at + 1_000).toISOString()}`, tip], []),
    gate: async (tree) => (isRepository(tree) ? gateOf(git, tree, hasGate) : { state: "absent" }),
  };
}

/** A project may be a plain folder. */
function isRepository(tree: string): boolean {
  return existsSync(join(tree, ".git"));
}

async function listed(
  git: Git,
  tree: string,
  which: readonly string[],
  known: readonly string[],
): Promise<readonly BroughtCommit[]> {
  const terms = ["--no-merges", "--ignore-missing", "--timestamp", `--max-count=${mostCommits}`];
  const text = await git(tree, ["rev-list", ...terms, ...which, "--not", "--remotes", "--not", "--stdin"], {
    input: known.map((commit) => `^${commit}\n`).join(""),
  });
  const times = new Map(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ") as [string, string])
      .map(([seconds, commit]) => [commit, Number(seconds) * 1_000]),
  );
  if (times.size === 0) return [];
  const names = await git(tree, ["diff-tree", "--stdin", "-r", "--root", "--no-renames", "-z", "--name-only"], {
    input: [...times.keys()].map((commit) => `${commit}\n`).join(""),
    encoding: "latin1",
  });
  const found: { commit: string; at: number; paths: string[] }[] = [];
  for (const field of names.split("\0").filter(Boolean)) {
    const at = times.get(field);
    if (at !== undefined) found.push({ commit: field, at, paths: [] });
    else found.at(-1)?.paths.push(readable(field).normalize("NFC"));
  }
  return found;
}

async function changedBetween(
  git: Git,
  tree: string,
  from: string,
  to: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
    const names = await git(tree, args, { encoding: "latin1" });
    return new Set(names.split("\0").map((name) => readable(name).normalize("NFC")));
  } catch (error) {
    if (error instanceof GitFailed) return undefined; // the old commit is gone
    throw error;
  }
}

async function gateOf(git: Git, tree: string, hasGate: (text: string) => boolean): Promise<GateState> {
  const ask = async (...args: readonly string[]): Promise<string> =>
    (await git(tree, args, { withHooks: true })).trimEnd();
  const own = join(await ask("rev-parse", "--path-format=absolute", "--git-common-dir"), "hooks");
  const used = resolve(tree, await ask("rev-parse", "--git-path", "hooks"));
  if (isGated(used, hasGate)) return { state: "on" };
  if (used !== own && isGated(own, hasGate)) return { state: "off", why: `core.hooksPath is ${used}` };
  return { state: "absent" };
}

function isGated(hooks: string, hasGate: (text: string) => boolean): boolean {
  return ["pre-commit", "reference-transaction"].every((name) => {
    try {
      accessSync(join(hooks, name), constants.X_OK);
      return hasGate(readFileSync(join(hooks, name), "utf8"));
    } catch {
      return false; // it is not there, or git cannot run it
    }
  });
}
