/**
 * Commits in a tree that others stage and commit in.
 *
 *   files -> throw-away index -> hooks -> tree -> commit -> compare-and-swap on the branch, the real index with it
 *
 * Invariant: a commit changes its own paths and no others, however far the branch has moved since it was begun.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Committer, Draft } from "../../../coordination/commits/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import { defined } from "../../../platform/defined.ts";
import { createGit, gitEnv, GitFailed, type Git } from "../run-git.ts";
import { changedFiles } from "./changed-files.ts";
import { commitPlace, headOf, notPossible, type CommitPlace } from "./commit-place.ts";
import { landWithIndex } from "./index-lock.ts";
import { runHook } from "./run-hook.ts";
import type { Entry } from "./parse-changes.ts";
import { openThrowAwayIndex, type ThrowAwayIndex } from "./throw-away-index.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Wanted = Parameters<Committer["draft"]>[0];
type Ports = { readonly git: Git; readonly clock: Clock };
/** A commit in the making. */
type Making = Ports & {
  readonly place: CommitPlace;
  readonly index: ThrowAwayIndex;
  readonly message: string;
  /** For hooks, and for git where it runs hooks by itself. */
  readonly hookEnv: Readonly<Record<string, string>>;
};

const mostMoves = 20;
/** So often it tries beside others before it holds the index: a process that only adds and commits in a loop is then stopped. */
const beside = 2;
const historyLooked = 200;

export function createCommitter(clock: Clock, env: Env, home: string): Committer {
  const git = createGit(clock, env);
  return {
    changedFiles: (tree, below) => changedFiles(git, tree, below),
    draft: (wanted) =>
      openDraft(wanted, { git, clock }, { ...hookEnv(env), SYLK_AGENT: wanted.agent, SYLK_HOME: home }),
  };
}

/** Hooks speak the user's language; only our own reading of git needs the plain one. */
function hookEnv(env: Env): Readonly<Record<string, string>> {
  const { LC_ALL: _, ...rest } = gitEnv(env);
  return { ...rest, ...defined({ LC_ALL: env.LC_ALL }), GIT_EDITOR: ":" };
}

async function openDraft(
  { tree, files, message, hookMs }: Wanted,
  ports: Ports,
  env: Making["hookEnv"],
): Promise<Draft> {
  const place = await commitPlace(ports.git, tree);
  const index = openThrowAwayIndex(ports.git, place.tree);
  try {
    await index.startFrom(place.head);
    await index.stage(files);
    let entries = await index.entries(place.head);
    const making = { ...ports, place, index, message: join(index.folder, "message"), hookEnv: env };
    writeFileSync(making.message, `${message}\n`);
    return {
      branch: place.ref.replace(/^refs\/heads\//, ""),
      changes: entries,
      setBack: (paths) =>
        setBack(
          entries.filter(({ path }) => paths.includes(path)),
          making,
        ),
      async runHooks() {
        if (await runHooks(making, hookMs)) entries = await index.entries(place.head);
        return entries;
      },
      land: () => land(entries, making),
      finish: () => afterCommit(making, hookMs),
      [Symbol.asyncDispose]: async () => index[Symbol.dispose](),
    };
  } catch (error) {
    index[Symbol.dispose]();
    throw error;
  }
}

async function setBack(entries: readonly Entry[], { git, place }: Making): Promise<readonly string[]> {
  if (place.head === undefined || entries.length === 0) return [];
  const form = ["--format=", "--raw", "--no-abbrev", "--no-renames", "-z", `--max-count=${historyLooked}`];
  const text = await git(place.tree, ["log", ...form, place.head, "--", ...entries.map(({ path }) => path)], {
    encoding: "latin1",
    env: { GIT_LITERAL_PATHSPECS: "1" },
  });
  const fields = text.split("\0");
  const known = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at++)
    if (fields[at]!.startsWith(":")) known.add(`${fields[at]!.split(" ")[2]} ${fields[at + 1]}`);
  return entries.filter(({ object, bytes }) => known.has(`${object} ${bytes}`)).map(({ path }) => path);
}

/** Answers whether one ran. */
async function runHooks({ place, index, message, hookEnv: env, clock }: Making, limitMs: number): Promise<boolean> {
  const terms = { ...place, env: { ...env, GIT_INDEX_FILE: index.file, SYLK_GATE: "asked" }, limitMs };
  const ran = [
    await runHook("pre-commit", [], terms, clock),
    await runHook("prepare-commit-msg", [message, "message"], terms, clock),
    await runHook("commit-msg", [message], terms, clock),
  ];
  return ran.includes(true);
}

async function land(entries: readonly Entry[], making: Making): ReturnType<Draft["land"]> {
  const { place, index } = making;
  const subject = tidyMessage(making.message);
  const scratch = join(index.folder, "real");
  let { head } = place;
  const follow = async (): Promise<boolean> => {
    const followed = await followBranch(entries, head, making);
    head = followed.head;
    return followed.isFree;
  };
  for (let moves = 0; moves < beside; moves++) {
    if (!(await follow())) return "overtaken";
    const commit = await makeCommit(head, making);
    const move = (): Promise<boolean> => moveBranch(commit, head, subject, making);
    if (await landWithIndex(place, entries, scratch, move, making)) return { commit, subject };
  }
  let landed: Awaited<ReturnType<Draft["land"]>> | undefined;
  await landWithIndex(
    place,
    entries,
    scratch,
    async () => {
      for (let moves = beside; moves < mostMoves; moves++) {
        if (!(await follow())) landed = "overtaken";
        if (landed !== undefined) return false;
        const commit = await makeCommit(head, making);
        if (await moveBranch(commit, head, subject, making)) landed = { commit, subject };
        if (landed !== undefined) return true;
      }
      return false;
    },
    making,
  );
  if (landed === undefined)
    throw notPossible(`${place.ref} moved ${mostMoves} times meanwhile; commit again`, "moving");
  return landed;
}

type Followed = { readonly head: string | undefined; readonly isFree: boolean };

/** Carries the commit's paths over to where the branch is now; not free where one of them was committed meanwhile. */
async function followBranch(entries: readonly Entry[], from: string | undefined, making: Making): Promise<Followed> {
  const head = await headOf(making.git, making.place);
  if (head === from) return { head, isFree: true };
  if (await isTouched(entries, from, head, making)) return { head, isFree: false };
  return { head, isFree: await carryOver(entries, head, making.index) };
}

/** False where a file of the commit has the name of a new folder, or the other way round. */
async function carryOver(entries: readonly Entry[], head: string | undefined, index: ThrowAwayIndex): Promise<boolean> {
  await index.startFrom(head);
  try {
    await index.put(entries);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

/** As `git commit -m` does: no spaces at line ends, no empty lines around, one between paragraphs. */
function tidyMessage(file: string): string {
  const lines = readFileSync(file, "latin1")
    .split("\n")
    .map((line) => line.replace(/[ \t\r\v\f]+$/, ""));
  const text = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .replace(/\n+$/, "");
  if (text === "") throw notPossible("a hook left its message empty", "empty-message");
  writeFileSync(file, `${text}\n`, "latin1");
  return Buffer.from(text, "latin1").toString("utf8").split("\n", 1)[0]!;
}

/** Whether one of the paths was changed between two commits of the branch; also when the branch was set back. */
async function isTouched(
  entries: readonly Entry[],
  from: string | undefined,
  to: string | undefined,
  { git, place }: Making,
): Promise<boolean> {
  if (from === undefined || to === undefined) return true;
  const names = await git(place.tree, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], {
    encoding: "latin1",
  });
  const changed = new Set(names.split("\0"));
  return entries.some(({ bytes }) => changed.has(bytes));
}

async function makeCommit(head: string | undefined, { git, place, index, message }: Making): Promise<string> {
  const parent = head === undefined ? [] : ["-p", head];
  const signature = place.isSigned ? ["-S"] : [];
  const tree = await index.writeTree();
  try {
    return (await git(place.tree, ["commit-tree", ...signature, tree, ...parent, "-F", message])).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (/identity|auto-detect|user\.(name|email)/i.test(error.stderr))
      throw notPossible(
        'git knows no author; "git config user.name" and "git config user.email" first',
        "author",
        error,
      );
    if (place.isSigned)
      throw notPossible(`git could not sign it (${error.stderr.trim().slice(0, 300)}); mend the key`, "signing", error);
    throw error;
  }
}

/** False where the branch is not at `head` any more. */
async function moveBranch(
  commit: string,
  head: string | undefined,
  subject: string,
  { git, place, hookEnv: env }: Making,
): Promise<boolean> {
  const note = head === undefined ? `commit (initial): ${subject}` : `commit: ${subject}`;
  const old = head ?? "0".repeat(commit.length);
  try {
    await git(place.tree, ["update-ref", "-m", note, place.ref, commit, old], {
      withHooks: true,
      env: { ...env, SYLK_COMMIT: commit },
    });
    return true;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if ((await headOf(git, place)) !== head) return false;
    if (/reference-transaction/.test(error.stderr) || /hook/.test(error.stderr))
      throw notPossible(
        `a reference-transaction hook refused it: ${error.stderr.trim().slice(0, 2_000)}`,
        "hook",
        error,
      );
    throw error;
  }
}

/** The commit is made: what fails now is only reported. */
async function afterCommit({ place, hookEnv: env, clock }: Making, limitMs: number): Promise<readonly string[]> {
  try {
    await runHook("post-commit", [], { ...place, env: { ...env, SYLK_GATE: "asked" }, limitMs }, clock);
    return [];
  } catch (error) {
    return [`The commit was made, but its post-commit hook failed: ${(error as Error).message}`];
  }
}
