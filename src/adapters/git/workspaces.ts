/** Workspaces as git worktrees: one branch and one tree per run, below the home. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import type { DiffSummary, FileChange, Workspace, WorkspacePort } from "../../orchestration/sessions/index.ts";
import { linkDependencies } from "./link-dependencies.ts";
import { leaveOut, markCheck, markedContent, recordNewFiles } from "./left-out-files.ts";
import { GitFailed, type Git } from "./run-git.ts";

const patchLimit = 512 * 1024;
/** In git's own folder of the worktree: it was made to the end. Whatever has no such mark was cut off in the making. */
const wholeMark = "sylk-whole";
/** No git of a healthy machine holds a lock that long; its holder was killed or the power failed. */
const staleLockMs = 10_000;
const identity = ["-c", "user.useConfigOnly=false"];
const fallbackIdentity = { name: "Sylk", email: "sylk@localhost.invalid" };

/**
 * Commands of a run fill its tree, also with repositories inside of it whose configuration names programs. Git would start
 * them, with the user's rights, when it looks into such a repository.
 */
const distrust = ["-c", "core.fsmonitor=false", "-c", "diff.ignoreSubmodules=dirty"];

/** By tree, for all of this process: a merged run is cleared by what merged it, and again by a command that asks for the merge. */
const removing = createKeyedQueue();

export function createWorkspaces(plainGit: Git, folder: string, clock: Clock): WorkspacePort {
  const git: Git = (tree, args, options) => plainGit(tree, [...distrust, ...args], options);
  return {
    async prepare({ repository, name }) {
      const baseCommit = await headOf(git, repository);
      const dirty = (await git(repository, ["status", "--porcelain"])).split("\n").filter(Boolean).length;
      const notice =
        dirty === 0
          ? undefined
          : `it starts from commit ${baseCommit.slice(0, 10)}; ${dirty} uncommitted ${dirty === 1 ? "change of your tree is" : "changes of your tree are"} not part of it`;
      return { workspace: { tree: join(folder, name), branch: `sylk/${name}`, baseCommit, repository }, notice };
    },
    async ensure(workspace) {
      if (!(await isWhole(git, workspace.tree))) await makeWorktree(git, folder, workspace);
      await linkDependencies(git, workspace);
      await removeStaleLocks(git, workspace, clock);
      await settleCheck(git, workspace.tree); // one that was killed
    },
    async leaveOutNewFiles({ tree }, check) {
      markCheck(await gitFolder(git, tree), await writeTree(git, tree));
      try {
        return await check();
      } finally {
        await settleCheck(git, tree);
      }
    },
    contentHash: (tree) => writeTree(git, tree),
    commit: (workspace, message) => commitContent(git, workspace, message),
    async changes({ tree, baseCommit }) {
      const text = await git(tree, [
        "diff",
        "--name-status",
        "--no-renames",
        "-z",
        baseCommit,
        await writeTree(git, tree),
      ]);
      return parseNameStatus(text);
    },
    diff: (workspace, commit) => diffOf(git, workspace, commit),
    clear: (workspace, upTo) => removing([workspace.tree], () => clear(git, workspace, upTo)),
    async baseFile({ tree, baseCommit }, path) {
      try {
        return await git(tree, ["show", `${baseCommit}:${path}`]);
      } catch (error) {
        if (error instanceof GitFailed) return undefined; // not in that commit
        throw error;
      }
    },
    async baseNames({ tree, baseCommit }, folder) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const place = prefix === "" ? [] : ["--", prefix];
      const listed = await git(tree, ["ls-tree", "-z", "--full-tree", baseCommit, ...place]).catch((error: unknown) => {
        if (error instanceof GitFailed) return ""; // no commit yet
        throw error;
      });
      const names = listed.split("\0").map((line) => /^100\d{3} blob \w+\t(?<path>[\s\S]+)$/.exec(line)?.groups?.path);
      return names.filter((path) => path !== undefined).map((path) => path.slice(prefix.length));
    },
    quarantine: (workspace) => removing([workspace.tree], () => quarantine(git, workspace)),
  };
}

/** Each step is safe to take again: a crash in between is made good by the next call. */
async function quarantine(git: Git, workspace: Workspace): Promise<{ readonly reference: string }> {
  const { tree, branch, baseCommit, repository } = workspace;
  const reference = quarantineOf(workspace);
  const tip = await resolved(git, repository, `refs/heads/${branch}`);
  if (await isWhole(git, tree)) {
    const commit = await commitContent(git, workspace, `Discarded ${branch.replace(/^sylk\//, "")}`);
    await git(repository, ["update-ref", reference, commit]);
  } else if ((await resolved(git, repository, reference)) === undefined) {
    await git(repository, ["update-ref", reference, tip ?? baseCommit]);
  }
  if (await isWhole(git, tree)) await git(repository, ["worktree", "remove", "--force", tree]);
  else await putAside(git, repository, tree);
  if (tip !== undefined) await git(repository, ["branch", "--quiet", "-D", branch]);
  return { reference };
}

async function clear(
  git: Git,
  { tree, branch, repository }: Workspace,
  upTo: string,
): Promise<{ readonly kept: string | undefined }> {
  const tip = await resolved(git, repository, `refs/heads/${branch}`);
  if (tip !== undefined && !(await isIn(git, repository, tip, upTo)))
    return { kept: `its branch ${branch} has commits that are not merged` };
  if (await isWhole(git, tree)) {
    const committed = await resolved(git, repository, `${tip ?? upTo}^{tree}`);
    if ((await writeTree(git, tree)) !== committed) return { kept: `its tree ${tree} has changes that are not merged` };
    await git(repository, ["worktree", "remove", "--force", tree]);
  } else await putAside(git, repository, tree);
  if (tip !== undefined) await git(repository, ["branch", "--quiet", "-D", branch]);
  return { kept: undefined };
}

async function isIn(git: Git, tree: string, commit: string, later: string): Promise<boolean> {
  try {
    await git(tree, ["merge-base", "--is-ancestor", commit, later]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed && error.exitCode === 1) return false;
    throw error;
  }
}

function quarantineOf({ branch }: Workspace): string {
  return `refs/sylk/quarantine/${branch.replace(/^sylk\//, "")}`;
}

async function isWhole(git: Git, tree: string): Promise<boolean> {
  if (!existsSync(join(tree, ".git"))) return false;
  try {
    return existsSync(join(await gitFolder(git, tree), wholeMark));
  } catch (error) {
    if (error instanceof GitFailed) return false; // its link leads nowhere
    throw error;
  }
}

/** A crash may have left the branch without its tree, or a half-made tree: the branch is used, the half is put aside. */
async function makeWorktree(
  git: Git,
  folder: string,
  { tree, branch, baseCommit, repository }: Workspace,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await putAside(git, repository, tree);
  const branchExists = (await resolved(git, repository, `refs/heads/${branch}`)) !== undefined;
  await git(repository, [
    "worktree",
    "add",
    "--quiet",
    "--force",
    ...(branchExists ? [tree, branch] : ["-b", branch, tree, baseCommit]),
  ]);
  writeFileSync(join(await gitFolder(git, tree), wholeMark), "");
}

/** Nothing is deleted that we did not make to the end: a tree whose link to git is gone may hold work. */
async function putAside(git: Git, repository: string, tree: string): Promise<void> {
  await git(repository, ["worktree", "unlock", tree]).catch(() => {}); // git locks it while it is in the making
  if (existsSync(tree)) renameSync(tree, freeName(`${tree}.incomplete`));
  await git(repository, ["worktree", "prune", "--expire=now"]);
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) if (!existsSync(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

/** Only what is this run's own: the index and head of its tree, and its branch. */
async function removeStaleLocks(git: Git, { tree, branch }: Workspace, clock: Clock): Promise<void> {
  const own = await gitFolder(git, tree);
  const common = (await git(tree, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trim();
  for (const lock of [join(own, "index.lock"), join(own, "HEAD.lock"), join(common, "refs/heads", `${branch}.lock`)]) {
    const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && clock.now() - mtimeMs > staleLockMs) rmSync(lock, { force: true });
  }
}

async function gitFolder(git: Git, tree: string): Promise<string> {
  return (await git(tree, ["rev-parse", "--absolute-git-dir"])).trim();
}

async function resolved(git: Git, tree: string, reference: string): Promise<string | undefined> {
  try {
    return (await git(tree, ["rev-parse", "--verify", "--quiet", reference])).trim();
  } catch (error) {
    if (error instanceof GitFailed) return undefined; // there is none
    throw error;
  }
}

async function headOf(git: Git, tree: string): Promise<string> {
  try {
    return (await git(tree, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const reason = /not a git repository/.test(error.stderr)
      ? `${tree} is not a git repository; run "git init" and commit once`
      : `${tree} has no commit yet; commit once, so that a run has something to start from`;
    throw new DomainError("workspace.unavailable", reason, { details: { tree }, cause: error });
  }
}

async function settleCheck(git: Git, tree: string): Promise<void> {
  const folder = await gitFolder(git, tree);
  const before = markedContent(folder);
  if (before !== undefined)
    await recordNewFiles(git, { tree, folder, before, after: await writeTree(git, tree, { whole: true }) });
}

/**
 * The content as a tree object, by a throw-away index: the real index is not touched. Without `whole` it leaves out what
 * checks wrote. The index is in git's folder of the worktree, so one that a kill leaves behind goes with the worktree.
 */
async function writeTree(git: Git, tree: string, { whole = false } = {}): Promise<string> {
  const folder = await gitFolder(git, tree);
  const scratch = mkdtempSync(join(folder, "sylk-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(scratch, "index") };
    await git(tree, ["read-tree", "HEAD"], { env });
    await git(tree, ["add", "--all"], { env });
    if (!whole) await leaveOut(git, tree, folder, env);
    return (await git(tree, ["write-tree"], { env })).trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function commitContent(git: Git, { tree, branch }: Workspace, message: string): Promise<string> {
  const parent = await headOf(git, tree);
  const content = await writeTree(git, tree);
  if (content === (await git(tree, ["rev-parse", `${parent}^{tree}`])).trim()) return parent;
  const commit = (
    await git(tree, [...identity, "commit-tree", content, "-p", parent, "-m", message], {
      env: await author(git, tree),
    })
  ).trim();
  // Compare and swap: a branch that moved meanwhile holds another agent's work.
  await git(tree, ["update-ref", `refs/heads/${branch}`, commit, parent]);
  await git(tree, ["reset", "--quiet", "--mixed", commit]);
  return commit;
}

/** The user's own identity where one is configured; a run must not fail for want of one. */
export async function author(git: Git, tree: string): Promise<Record<string, string>> {
  const [name, email] = await Promise.all(
    ["user.name", "user.email"].map(async (key) =>
      git(tree, ["config", "--get", key]).then(
        (text) => text.trim(),
        () => "",
      ),
    ),
  );
  const who = name && email ? { name, email } : fallbackIdentity;
  return {
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
  };
}

function parseNameStatus(text: string): readonly FileChange[] {
  const parts = text.split("\0").filter((part) => part !== "");
  const kinds: Readonly<Record<string, FileChange["kind"]>> = { A: "added", D: "deleted" };
  return Array.from({ length: parts.length / 2 }, (_, index) => ({
    kind: kinds[parts[index * 2]!] ?? "modified",
    path: parts[index * 2 + 1]!,
  }));
}

async function diffOf(git: Git, workspace: Workspace, commit: string | undefined): Promise<DiffSummary> {
  const { baseCommit, branch, repository } = workspace;
  const whole = await isWhole(git, workspace.tree);
  const tree = whole ? workspace.tree : repository;
  // Without a tree: the change was merged and put away, or the run was stopped before it had changed anything.
  const content = whole
    ? await writeTree(git, tree)
    : ((await resolved(git, tree, `refs/heads/${branch}`)) ??
      (await resolved(git, tree, quarantineOf(workspace))) ??
      commit ??
      baseCommit);
  const changes = parseNameStatus(
    await git(tree, ["diff", "--name-status", "--no-renames", "-z", baseCommit, content]),
  );
  const counts = new Map(
    (await git(tree, ["diff", "--numstat", "--no-renames", "-z", baseCommit, content]))
      .split("\0")
      .filter(Boolean)
      .map(parseNumstat),
  );
  const patch = await git(tree, ["diff", "--no-renames", "--no-color", "--no-ext-diff", baseCommit, content]);
  const files = changes.map((change) => ({
    ...change,
    added: counts.get(change.path)?.added,
    removed: counts.get(change.path)?.removed,
  }));
  return { files, patch: patch.slice(0, patchLimit), truncated: patch.length > patchLimit };
}

/** Binary files have "-" for counts. */
function parseNumstat(
  line: string,
): readonly [string, { readonly added: number | undefined; readonly removed: number | undefined }] {
  const [added = "-", removed = "-", ...path] = line.split("\t");
  const count = (text: string): number | undefined => (text === "-" ? undefined : Number(text));
  return [path.join("\t"), { added: count(added), removed: count(removed) }];
}
