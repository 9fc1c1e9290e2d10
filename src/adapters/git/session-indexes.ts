/**
 * Indexes of sessions: `<home>/indexes/<agent id>/index`, with what it was built from beside it.
 *
 *   rebuild: git's own lock -> what differs from the old base is staged by the session -> HEAD, and of that what no
 *            other session has committed since -> takes the place of the old file
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentId, type SessionIndex } from "../../contract/index.ts";
import type { SessionIndexes } from "../../coordination/private-index/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import {
  commitPlace,
  copyWithTime,
  landWithIndex,
  openThrowAwayIndex,
  parseChanges,
  takeLock,
} from "./commit/index.ts";
import type { Git } from "./run-git.ts";

type Ports = { readonly git: Git; readonly clock: Clock; readonly folder: string };
/** `head` is null before the first commit. */
type About = { readonly tree: string; readonly head: string | null; readonly builtAt: number };

const oldMs = 86_400_000;
const diffForm = ["--raw", "--numstat", "--no-abbrev", "--no-renames", "-z"];

export function createSessionIndexes({ git, clock, folder }: Ports): SessionIndexes {
  const names = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
  const fileOf = (agent: AgentId): string => join(folder, agent, "index");
  const aboutOf = (agent: AgentId): About | undefined => readAbout(join(folder, agent, "about.json"));

  /** The index before its base: with an older one, what was committed since is found out again. */
  function put(agent: AgentId, from: string, about: About): SessionIndex {
    const lock = `${fileOf(agent)}.lock`;
    copyWithTime(from, lock);
    renameSync(lock, fileOf(agent));
    writeFileSync(join(folder, agent, "about.json.new"), JSON.stringify(about));
    renameSync(join(folder, agent, "about.json.new"), join(folder, agent, "about.json"));
    return { agent, tree: about.tree, file: fileOf(agent), builtAt: about.builtAt };
  }

  return {
    async make(tree, agent) {
      const { head } = await commitPlace(git, tree);
      rmSync(join(folder, agent), { recursive: true, force: true });
      mkdirSync(join(folder, agent), { recursive: true, mode: 0o700 });
      using fresh = openThrowAwayIndex(git, tree);
      await fresh.startFrom(head);
      return put(agent, fresh.file, { tree, head: head ?? null, builtAt: clock.now() });
    },
    find(agent) {
      const about = aboutOf(agent);
      if (about === undefined || !existsSync(fileOf(agent))) return undefined;
      return { agent, tree: about.tree, file: fileOf(agent), builtAt: about.builtAt };
    },
    owners: () => names().flatMap((name) => AgentId.safeParse(name).data ?? []),
    async rebuild({ agent, tree, file }) {
      const base = aboutOf(agent);
      if (base === undefined || !existsSync(tree)) return undefined;
      const head = await headIn(tree, git);
      if (head === base.head && clock.now() - base.builtAt < oldMs) return undefined;
      const env = { GIT_INDEX_FILE: file };
      await takeLock(`${file}.lock`, clock);
      let isOurs = true;
      try {
        if ((await git(tree, ["ls-files", "--unmerged"], { env })) !== "") return undefined;
        using fresh = openThrowAwayIndex(git, tree);
        await fresh.startFrom(head ?? undefined);
        const staged = await stagedIn(tree, file, base.head, git);
        const since = await committedBetween(tree, base.head, head, git);
        const kept = staged.filter(({ bytes }) => !since.has(bytes));
        const own = staged.filter(({ bytes, mode, object }) => since.get(bytes) === `${mode} ${object}`);
        if (kept.length > 0) await fresh.put(kept);
        const index = put(agent, fresh.file, { tree, head, builtAt: clock.now() });
        isOurs = false;
        const unstaged = staged.filter((entry) => !kept.includes(entry) && !own.includes(entry));
        return { index, kept: kept.map(({ path }) => path), unstaged: unstaged.map(({ path }) => path) };
      } finally {
        if (isOurs) rmSync(`${file}.lock`, { force: true });
      }
    },
    async shareCommit({ tree }, commit) {
      const changes = parseChanges(
        await git(tree, ["diff-tree", "-r", "--root", "--no-commit-id", ...diffForm, commit], { encoding: "latin1" }),
      );
      if (changes.length === 0) return; // a merge, which git has taken over itself
      const index = (await git(tree, ["rev-parse", "--path-format=absolute", "--git-path", "index"])).trim();
      using scratch = openThrowAwayIndex(git, tree);
      await landWithIndex({ tree, index }, changes, scratch.file, async () => true, { git, clock });
    },
    remove: (agent) => rmSync(join(folder, agent), { recursive: true, force: true }),
    removeStrays() {
      const strays = names().filter((name) => !AgentId.safeParse(name).success);
      for (const name of strays) rmSync(join(folder, name), { recursive: true, force: true });
      return strays;
    },
  };
}

async function headIn(tree: string, git: Git): Promise<string | null> {
  return (await git(tree, ["rev-parse", "--revs-only", "HEAD"])).trim() || null;
}

async function stagedIn(tree: string, file: string, base: string | null, git: Git) {
  const against = base ?? (await emptyTree(tree, git));
  const options = { env: { GIT_INDEX_FILE: file }, encoding: "latin1" } as const;
  return parseChanges(await git(tree, ["diff-index", "--cached", ...diffForm, against], options));
}

/** What each path became, by its name in bytes. */
async function committedBetween(tree: string, base: string | null, head: string | null, git: Git) {
  if (base === head || head === null) return new Map<string, string>();
  const from = base ?? (await emptyTree(tree, git));
  const text = await git(tree, ["diff-tree", "-r", ...diffForm, from, head], { encoding: "latin1" });
  return new Map(parseChanges(text).map(({ bytes, mode, object }) => [bytes, `${mode} ${object}`]));
}

async function emptyTree(tree: string, git: Git): Promise<string> {
  return (await git(tree, ["hash-object", "-t", "tree", "/dev/null"])).trim();
}

function readAbout(file: string): About | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as About;
  } catch {
    return undefined; // none, or torn: the keeper removes it
  }
}
