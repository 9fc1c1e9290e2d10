/**
 * Changes the real index by git's own protocol: `index.lock` is made, the branch moves while it is held, and its content
 * replaces the index. So no other git can commit the old content of these paths after the branch has the new one.
 */
import { copyFileSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import type { Clock } from "../../../platform/clock/index.ts";
import type { Git } from "../run-git.ts";
import { notPossible } from "./commit-place.ts";
import type { Entry } from "./parse-changes.ts";
import { indexInfo } from "./throw-away-index.ts";

type Place = { readonly tree: string; readonly index: string };
type Ports = { readonly git: Git; readonly clock: Clock };

const patienceMs = 15_000;
const mostMs = 25;

/** `moveBranch` answers whether it did; where not, the index stays as it was. */
export async function landWithIndex(
  { tree, index }: Place,
  entries: readonly Entry[],
  scratch: string,
  moveBranch: () => Promise<boolean>,
  { git, clock }: Ports,
): Promise<boolean> {
  const lock = `${index}.lock`;
  await takeLock(lock, clock);
  let isOurs = true;
  try {
    if (existsSync(index)) copyWithTime(index, scratch);
    await git(tree, ["update-index", "--replace", "--add", "-z", "--index-info"], {
      env: { GIT_INDEX_FILE: scratch },
      input: indexInfo(entries),
    });
    copyWithTime(scratch, lock);
    if (!(await moveBranch())) return false;
    renameSync(lock, index);
    isOurs = false;
    return true;
  } finally {
    if (isOurs) rmSync(lock, { force: true });
  }
}

/**
 * Git takes a file as unchanged when size and time are those in the index and older than the index itself; with a newer
 * copy of the index, an edit of the same moment and size would never be seen again. Too old only makes git look closer.
 */
export function copyWithTime(from: string, to: string): void {
  copyFileSync(from, to);
  const seconds = Math.floor(statSync(from).mtimeMs) / 1_000;
  utimesSync(to, seconds, seconds);
}

export async function takeLock(lock: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + patienceMs;
  for (let waitMs = 5; ; waitMs = Math.min(mostMs, waitMs * 1.5)) {
    try {
      return closeSync(openSync(lock, "wx"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (clock.monotonic() > deadline)
        throw notPossible(
          `another git holds the index; try again, and if none runs any more, remove ${lock}`,
          "index-locked",
          error,
        );
      await new Promise<void>((resolve) => clock.after(waitMs, resolve, { keepAlive: true }));
    }
  }
}
