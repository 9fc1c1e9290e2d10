/**
 * Asks git which files a command would change, before it runs. Reads only: no lock, no hook, no program of the repository.
 *
 *   reset --hard X      the tree against X                 merge, pull        what the other side changed since they parted
 *   stash, stash -u     the tree against HEAD, new files   cherry-pick, am    what the commits or patches name
 *   switch X            HEAD against X                     clean              git's own dry run
 *   bisect, sparse-checkout, filter-branch                 every file that git tracks
 *
 * All questions of one command share one time limit. No answer is "unknown", never "nothing".
 */
import { resolve } from "node:path";
import type { Touched, TreeGit } from "../../coordination/guard/index.ts";
import { type Git, GitFailed, tooLong } from "./run-git.ts";
import { readWords, type Words } from "./read-words.ts";

/** A launcher waits a second for its answer. */
const withinMs = 700;

export function createTreeGit(git: Git, now: () => number): TreeGit {
  return {
    async touchedBy({ folder, args: [name = "", ...args] }) {
      const asks = questions(folder, git, now() + withinMs, now);
      try {
        const root = (await asks.line("rev-parse", "--show-toplevel")).trimEnd();
        const asker = { ...asks, folder, root };
        const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
        if (rule === undefined) return await aliased(name, args, asker);
        const { paths, unknown } = asTouched(await rule(readWords(args, valued[name]), asker));
        return { paths: [...new Set(paths)], ...(unknown === undefined ? {} : { unknown }) };
      } catch (error) {
        if (!(error instanceof GitFailed) && !(error instanceof NoAnswer)) throw error;
        const unknown = error instanceof NoAnswer ? error.message : firstLine(error.stderr);
        return { paths: [], unknown, ...(unknown === tooLong ? { isLate: true } : {}) };
      }
    },
    async changed(tree) {
      const asks = questions(tree, git, now() + withinMs, now);
      try {
        return await changedIn(asks);
      } catch (error) {
        if (!(error instanceof GitFailed) && !(error instanceof NoAnswer)) throw error;
        return undefined;
      }
    },
  };
}

class NoAnswer extends Error {}

type Questions = {
  readonly line: (...args: readonly string[]) => Promise<string>;
  /** Names between zero bytes, from the root of the tree. */
  readonly names: (...args: readonly string[]) => Promise<readonly string[]>;
};
type Asker = Questions & { readonly folder: string; readonly root: string };
type Found = readonly string[] | Touched;
type Rule = (words: Words, asker: Asker) => Promise<Found>;

function questions(folder: string, git: Git, until: number, now: () => number): Questions {
  const line: Questions["line"] = async (...args) => {
    const leftMs = until - now();
    if (leftMs <= 0) throw new NoAnswer(tooLong);
    const quiet = ["-c", "core.fsmonitor=false", "-c", "diff.ignoreSubmodules=all", ...args];
    const answer = await git(folder, quiet, { encoding: "latin1", timeoutMs: leftMs });
    return Buffer.from(answer, "latin1").toString("utf8");
  };
  return {
    line,
    names: async (...args) =>
      (await line(...args))
        .split("\0")
        .map((name) => name.replace(/^\n+/, ""))
        .filter((name) => name !== "")
        .map((name) => name.normalize("NFC")),
  };
}

function asTouched(found: Found): Touched {
  return "paths" in found ? found : { paths: found };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!.slice(0, 120) || "git did not say";
}

/** The command an alias stands for, with its own arguments behind. Not an alias: a program of its own. */
async function aliased(name: string, args: readonly string[], { line, folder, root }: Asker): Promise<Touched> {
  const alias = (await line("config", "--get", `alias.${name}`).catch(unlessNone)).trimEnd();
  if (alias === "") return { paths: [], unknown: "it is not a command of git" };
  const isShell = alias.startsWith("!");
  const words = args.map((arg) => `'${arg.replaceAll("'", String.raw`'\''`)}'`);
  const text = [isShell ? alias.slice(1) : `git ${alias}`, ...words].join(" ");
  return { paths: [], stands: { command: text, folder: isShell ? root : folder } };
}

function unlessNone(error: unknown): string {
  if (error instanceof GitFailed && error.exitCode === 1) return "";
  throw error;
}

const diff = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-relative", "-z"] as const;

/** Tracked files that differ from a commit (by default HEAD), in the tree or the index. */
function unlike(commit: string, { names }: Questions, paths: readonly string[] = []): Promise<readonly string[]> {
  return names(...diff, commit, "--", ...paths);
}

async function changedIn({ names }: Questions): Promise<readonly string[]> {
  const listed = await names("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames");
  return listed.map((entry) => entry.slice(3));
}

function tracked({ names }: Questions): Promise<readonly string[]> {
  return names("ls-files", "-z", "--full-name", ":/");
}

function untracked({ names, root }: Asker, withIgnored: boolean): Promise<readonly string[]> {
  return names("-C", root, "ls-files", "-z", "--others", ...(withIgnored ? [] : ["--exclude-standard"]));
}

async function between(from: string, to: string, { names }: Questions): Promise<readonly string[]> {
  return names(...diff, from, to);
}

/** The commit that a word means; an unknown one is a failure, which the caller gets as unknown. */
async function commitOf(word: string, { line }: Questions): Promise<string> {
  const name = word === "-" ? "@{-1}" : word;
  return (await line("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`)).trimEnd();
}

async function commitOrNone(word: string, asker: Questions): Promise<string | undefined> {
  return commitOf(word, asker).catch((error: unknown) => {
    if (error instanceof GitFailed) return undefined;
    throw error;
  });
}

const all = async (...lists: readonly Promise<readonly string[]>[]): Promise<readonly string[]> =>
  (await Promise.all(lists)).flat();

const reset: Rule = async ({ operands, has }, asker) => {
  const target = await commitOf(operands[0] ?? "HEAD", asker);
  if (has("hard")) return unlike(target, asker);
  const moved = between("HEAD", target, asker);
  return has("keep") ? moved : all(moved, asker.names(...diff, "--cached", "HEAD"));
};

/** `git checkout x`: a branch, else a branch of a remote, else a path. */
const checkout: Rule = async ({ operands, behind, has, value }, asker) => {
  if (has("pathspec-from-file")) return tracked(asker);
  const [first, ...others] = operands;
  const commit = first === undefined ? undefined : await branchOf(first, asker);
  const paths = [...(commit === undefined ? operands : others), ...(behind ?? [])];
  if (paths.length > 0) return unlike(commit ?? "HEAD", asker, paths);
  const isForced = has("f", "force", "discard-changes");
  if (value("orphan") !== undefined && !isForced) return first === undefined ? [] : between("HEAD", commit!, asker);
  if (isForced) return unlike(commit ?? "HEAD", asker);
  return commit === undefined ? [] : between("HEAD", commit, asker);
};

const switchTo: Rule = async (words, asker) => {
  const { operands, has } = words;
  if (has("orphan")) return tracked(asker);
  const commit = await branchOf(operands[0] ?? "HEAD", asker);
  if (commit === undefined) return { paths: [], unknown: `${operands[0]} is not a branch that git knows here` };
  return has("f", "force", "discard-changes") ? unlike(commit, asker) : between("HEAD", commit, asker);
};

async function branchOf(word: string, asker: Questions): Promise<string | undefined> {
  const commit = await commitOrNone(word, asker);
  if (commit !== undefined) return commit;
  const [remote] = (await asker.line("for-each-ref", "--format=%(objectname)", `refs/remotes/*/${word}`)).split("\n");
  return remote || undefined;
}

/** With paths: which of their files differ; without options it takes them from the index. */
const restore: Rule = async ({ operands, behind = [], value, has }, asker) => {
  if (has("pathspec-from-file")) return tracked(asker);
  const source = value("s") ?? value("source") ?? "HEAD";
  return unlike(await commitOf(source, asker), asker, [...operands, ...behind]);
};

const stash: Rule = async ({ operands: [action = "push", ...rest], behind, has }, asker) => {
  if (action === "pop" || action === "apply") return inStash(rest[0], asker);
  if (action === "branch") {
    const name = stashName(rest[1]);
    return all(between("HEAD", await commitOf(`${name}^1`, asker), asker), inStash(rest[1], asker));
  }
  if (has("S", "staged")) return asker.names(...diff, "--cached", "HEAD");
  const paths = action === "push" ? [...rest, ...(behind ?? [])] : (behind ?? []);
  const own = unlike("HEAD", asker, paths);
  const isAll = has("a", "all");
  return isAll || has("u", "include-untracked") ? all(own, untracked(asker, isAll)) : own;
};

function stashName(word: string | undefined): string {
  return word === undefined ? "stash@{0}" : /^\d+$/.test(word) ? `stash@{${word}}` : word;
}

async function inStash(word: string | undefined, asker: Asker): Promise<readonly string[]> {
  const commit = await commitOf(stashName(word), asker);
  const kept = await commitOrNone(`${commit}^3`, asker);
  const own = asker.names(...diff, `${commit}^1`, commit);
  return kept === undefined ? own : all(own, asker.names("ls-tree", "-r", "-z", "--name-only", "--full-tree", kept));
}

/** git's own dry run, in lines: with `-z` it prints no others. A folder ends in a slash. */
const clean: Rule = async ({ given, operands, behind = [] }, { line, folder, root }) => {
  const options = given.filter((word) => !/^-[fiq]+$|^--(?:force|interactive|quiet)$/.test(word));
  const quiet = options.map((word) => (/^-[a-zA-Z]+$/.test(word) ? word.replaceAll(/[fiq]/g, "") : word));
  const said = await line("-c", "core.quotePath=false", "clean", "-n", ...quiet, "--", ...operands, ...behind);
  return said
    .split("\n")
    .flatMap((text) => /^Would remove (.+)$/.exec(text)?.[1] ?? [])
    .map((name) => fromRoot(unquoted(name), folder, root));
};

function unquoted(name: string): string {
  return name.startsWith('"') ? (JSON.parse(name) as string) : name;
}

function fromRoot(name: string, folder: string, root: string): string {
  const path = resolve(folder, name).slice(root.length + 1);
  return name.endsWith("/") ? `${path}/` : path;
}

/** What a merge of these brings: their changes since they parted from HEAD. */
const merge: Rule = async ({ operands, has }, asker) => {
  if (has("abort", "continue")) return underWay(asker);
  const stashed = has("autostash") ? unlike("HEAD", asker) : Promise.resolve([]);
  const heads = operands.length === 0 ? ["@{upstream}"] : operands;
  return all(stashed, ...heads.map((head) => since(head, asker)));
};

async function since(head: string, asker: Questions): Promise<readonly string[]> {
  return asker.names(...diff, `HEAD...${await commitOf(head, asker)}`);
}

/** The known part is what was fetched before; a remote is never asked. */
const pull: Rule = async ({ operands, has }, asker) => {
  const [remote, branch] = operands;
  const head = branch === undefined ? "@{upstream}" : `${remote}/${branch.replace(/:.*$/, "")}`;
  const stashed = has("autostash") ? unlike("HEAD", asker) : Promise.resolve([]);
  const fetched = (await commitOrNone(head, asker)) === undefined ? Promise.resolve([]) : since(head, asker);
  return {
    paths: await all(stashed, fetched),
    unknown: 'the remote may have more; "git fetch", then "git merge" says it first',
  };
};

const rebase: Rule = async ({ operands, has, value }, asker) => {
  if (has("abort", "continue", "skip")) return underWay(asker);
  if (has("root")) return tracked(asker);
  const [upstream = "@{upstream}", branch] = operands;
  const onto = await commitOf(value("onto") ?? upstream, asker);
  const from = branch === undefined ? [] : [between("HEAD", await commitOf(branch, asker), asker)];
  const stashed = has("autostash") ? [unlike("HEAD", asker)] : [];
  return all(between("HEAD", onto, asker), ...from, ...stashed);
};

/** The rest of a merge, rebase or pick: what differs now, and what differs from its beginning. */
async function underWay(asker: Questions): Promise<readonly string[]> {
  const start = await commitOrNone("ORIG_HEAD", asker);
  return all(unlike("HEAD", asker), ...(start === undefined ? [] : [between("HEAD", start, asker)]));
}

const pick: Rule = async ({ operands, has }, asker) => {
  if (has("abort", "continue", "skip")) return underWay(asker);
  const isRange = operands.some((word) => word.includes("..") || word.startsWith("^"));
  const walk = isRange ? [] : ["--no-walk=unsorted"];
  return asker.names(
    "log",
    ...walk,
    "-m",
    "--format=",
    "--name-only",
    "--no-renames",
    "-z",
    "--end-of-options",
    ...operands,
  );
};

const apply: Rule = async ({ operands, has }, asker) => {
  if (has("abort", "continue", "skip", "resolved", "r")) return underWay(asker);
  if (operands.length === 0) return { paths: [], unknown: "the patch comes from its input" };
  const numbers = await asker.line("apply", "--numstat", "-z", "--", ...operands);
  return numbers.split("\0").flatMap((entry) => /^[\d-]+\t[\d-]+\t([\s\S]+)$/.exec(entry)?.[1] ?? []);
};

const readTree: Rule = async ({ operands, has }, asker) => {
  const target = operands.at(-1);
  if (target === undefined) return { paths: [], unknown: "it names no tree" };
  const commit = await commitOf(target, asker);
  return has("reset") ? unlike(commit, asker) : between("HEAD", commit, asker);
};

const checkoutIndex: Rule = async ({ operands, behind = [], has }, asker) => {
  if (has("prefix")) return { paths: [], unknown: "it writes below a prefix" };
  const paths = [...operands, ...behind];
  if (!has("f", "force")) return asker.names("ls-files", "-z", "--deleted", "--full-name", "--", ...paths);
  return asker.names(...diff, "--", ...paths);
};

const everything: Rule = (_words, asker) => tracked(asker);

const rules: Readonly<Record<string, Rule>> = {
  reset,
  checkout,
  switch: switchTo,
  restore,
  stash,
  clean,
  merge,
  pull,
  rebase,
  "cherry-pick": pick,
  revert: pick,
  am: apply,
  apply,
  "read-tree": readTree,
  "checkout-index": checkoutIndex,
  bisect: everything,
  "sparse-checkout": everything,
  "filter-branch": everything,
};

/** Options whose value is the next word. */
const valued: Readonly<Record<string, readonly string[]>> = {
  checkout: ["b", "B", "orphan", "conflict", "pathspec-from-file"],
  switch: ["c", "C", "create", "force-create", "conflict"],
  restore: ["s", "source", "conflict", "pathspec-from-file"],
  stash: ["m", "message", "pathspec-from-file"],
  clean: ["e", "exclude"],
  merge: ["m", "s", "X", "F", "strategy", "strategy-option", "into-name", "cleanup"],
  pull: ["s", "X", "j", "strategy", "strategy-option", "depth", "jobs"],
  rebase: ["x", "s", "X", "C", "onto", "exec", "strategy", "strategy-option", "whitespace"],
  "cherry-pick": ["m", "s", "X", "mainline", "strategy", "strategy-option", "cleanup"],
  revert: ["m", "s", "X", "mainline", "strategy", "strategy-option", "cleanup"],
  am: ["p", "C", "directory", "exclude", "include", "whitespace", "patch-format"],
  apply: ["p", "C", "directory", "exclude", "include", "whitespace"],
  "checkout-index": ["prefix", "stage"],
};
