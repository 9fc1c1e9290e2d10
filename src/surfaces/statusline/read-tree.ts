/** Branch and unsaved changes of a working tree. The branch is read from git's files, so that it is there even without git. */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export type Tree = {
  readonly branch: string;
  /** Changed or new files; undefined when git could not tell in time. */
  readonly changed: number | undefined;
};

const withinMs = 400;

export async function readTree(folder: string): Promise<Tree | undefined> {
  const branch = readBranch(folder);
  return branch === undefined ? undefined : { branch, changed: await countChanges(folder) };
}

/** Undefined outside of git. */
export function readBranch(folder: string): string | undefined {
  const gitFolder = findGitFolder(folder);
  return gitFolder === undefined ? undefined : branchIn(gitFolder);
}

function findGitFolder(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const place = join(folder, ".git");
    const found = statSync(place, { throwIfNoEntry: false });
    if (found?.isDirectory()) return place;
    // In a worktree or submodule it is a file that names the folder.
    if (found?.isFile())
      return resolve(
        folder,
        readFileSync(place, "utf8")
          .replace(/^gitdir: /, "")
          .trim(),
      );
    if (folder === dirname(folder)) return undefined;
  }
}

function branchIn(gitFolder: string): string | undefined {
  const head = readFileSync(join(gitFolder, "HEAD"), "utf8").trim();
  const onBranch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return onBranch ?? (/^[0-9a-f]{40,64}$/.test(head) ? `${head.slice(0, 7)} (detached)` : undefined);
}

export function countChanges(folder: string): Promise<number | undefined> {
  const args = ["-C", folder, "status", "--porcelain", "--ignore-submodules=all"];
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  return new Promise((done) => {
    execFile("git", args, { timeout: withinMs, maxBuffer: 4 << 20, env }, (error, stdout) =>
      done(error === null ? stdout.split("\n").filter((line) => line !== "").length : undefined),
    );
  });
}
