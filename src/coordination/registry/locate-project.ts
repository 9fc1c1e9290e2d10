/**
 * Which repository a folder belongs to: known by its git common directory, so that all worktrees of one repository are
 * one project whatever their folders are called. Reads git's own files instead of starting git: this runs in every
 * registration and before every write, and must cost microseconds. So an answer is kept as long as nothing that it was read
 * from has changed; asking that is synchronous, some microseconds, where the thread pool costs a hundred for each file.
 */
import { constants, statSync } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { DomainError, invalidInput } from "../../contract/index.ts";

export type ProjectPlace = {
  readonly path: string;
  readonly name: string;
  readonly tree: string;
  /** Undefined without git, and while no branch is checked out. */
  readonly branch: string | undefined;
};

export async function locateProject(folder: string): Promise<ProjectPlace> {
  if (!isAbsolute(folder)) {
    throw invalidInput("project.path", "must be absolute", {
      sentence: `project.path: "${folder}" is relative; send the absolute path of a folder in the repository`,
    });
  }
  const known = kept.get(folder);
  if (known !== undefined && known.files.every(({ file, stamp }) => stampOf(file) === stamp)) return known.place;
  kept.delete(folder);
  const { sources } = await look(folder);
  // Stamped before it is read: what changes meanwhile is read again next time.
  const files = sources.map((file) => ({ file, stamp: stampOf(file) }));
  const { place, ...read } = await look(folder);
  if (sources.length > 0 && read.sources.join("\0") === sources.join("\0")) keep(folder, { place, files });
  return place;
}

type Kept = {
  readonly place: ProjectPlace;
  readonly files: readonly { readonly file: string; readonly stamp: string }[];
};
const kept = new Map<string, Kept>();
const mostKept = 1_000;

function keep(folder: string, found: Kept): void {
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  kept.set(folder, found);
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
  } catch {
    return "";
  }
}

/** The place, and the files and folders that say so; none where there is no repository. */
type Look = { readonly place: ProjectPlace; readonly sources: readonly string[] };

async function look(folder: string): Promise<Look> {
  const start = await existingFolder(folder);
  const folders: string[] = [];
  for (let tree = start; ; tree = dirname(tree)) {
    folders.push(tree);
    const gitDirectory = await gitDirectoryOf(tree);
    if (gitDirectory !== undefined) {
      const own = ["HEAD", "commondir"].map((name) => join(gitDirectory, name));
      const sources = new Set([folder, ...folders, join(tree, ".git"), ...own]);
      return { place: await placeIn(tree, gitDirectory), sources: [...sources] };
    }
    if (dirname(tree) !== tree) continue;
    const place = { path: start, name: basename(start) || start, tree: start, branch: undefined };
    return { place, sources: [] };
  }
}

async function existingFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? real : dirname(real);
  } catch (cause) {
    throw new DomainError("project.not-found", `There is no folder "${folder}" on this machine; check the path`, {
      details: { path: folder },
      cause,
    });
  }
}

/** `.git` is a folder in a plain checkout and a file that points elsewhere in worktrees and submodules. */
async function gitDirectoryOf(tree: string): Promise<string | undefined> {
  const dotGit = join(tree, ".git");
  try {
    const found = await stat(dotGit);
    if (found.isDirectory()) return (await isFile(join(dotGit, "HEAD"))) ? dotGit : undefined;
    if (!found.isFile()) return undefined;
    const [, target] = /^gitdir: (.+)/.exec(await readSmall(dotGit)) ?? [];
    return target === undefined ? undefined : resolve(tree, target.trim());
  } catch {
    return undefined; // no .git here, or one that cannot be read: not a repository for us
  }
}

async function placeIn(tree: string, gitDirectory: string): Promise<ProjectPlace> {
  const [path, branch] = await Promise.all([commonDirectory(gitDirectory), branchOf(gitDirectory)]);
  const holder = basename(path) === ".git" ? dirname(path) : path;
  return { path, tree, branch, name: basename(holder).replace(/\.git$/, "") || holder };
}

/** HEAD names a branch, or a commit; where refs are kept elsewhere it names one that cannot be. */
async function branchOf(gitDirectory: string): Promise<string | undefined> {
  const [, branch] = /^ref: refs\/heads\/(\S+)/.exec(await readSmall(join(gitDirectory, "HEAD")).catch(() => "")) ?? [];
  return branch === ".invalid" ? undefined : branch;
}

async function commonDirectory(gitDirectory: string): Promise<string> {
  const pointer = await readSmall(join(gitDirectory, "commondir")).catch(() => "");
  const common = pointer.trim() === "" ? gitDirectory : resolve(gitDirectory, pointer.trim());
  return realpath(common).catch(() => common);
}

/** Of a plain file alone, and no more than its beginning: a pipe or a device in its place would never end. */
async function readSmall(file: string): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await handle.stat()).isFile()) return "";
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
