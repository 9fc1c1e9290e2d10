/**
 * Working trees as the daemon saw them last. Many sessions in one tree share one look at it: git is asked once in two seconds.
 *
 *   branch: read anew each time     number of changes: git's, if it answers in a moment; else the last known, if it is young
 *
 * git needs as long as a repository is large, and a client waits for its line: a late result is shown in the next one.
 */
import type { Clock } from "../../platform/clock/index.ts";
import { countChanges, readBranch, type Tree } from "./read-tree.ts";
import { mayRedraw } from "./update-policy.ts";

export type TreeOf = (folder: string) => Promise<Tree | undefined>;
type Count = number | undefined;
type Look = {
  readonly at: number;
  readonly count: Promise<Count>;
  known: { readonly at: number; readonly count: Count };
};

const patienceMs = 20;
const youngMs = 60_000;
const mostTrees = 1_000;

export function createTreeMemory(clock: Clock, count: typeof countChanges = countChanges): TreeOf {
  const seen = new Map<string, Look>();
  const lookAt = (folder: string): Look => {
    const now = clock.monotonic();
    const last = seen.get(folder);
    if (last !== undefined && !mayRedraw(last.at, now)) return last;
    const look: Look = {
      at: now,
      count: count(folder).catch(() => undefined),
      known: last?.known ?? { at: now, count: undefined },
    };
    void look.count.then((found) => (look.known = { at: clock.monotonic(), count: found }));
    seen.delete(folder);
    seen.set(folder, look);
    if (seen.size > mostTrees) seen.delete(seen.keys().next().value!);
    return look;
  };
  return async (folder) => {
    const branch = quietly(() => readBranch(folder));
    if (branch === undefined) return undefined;
    const look = lookAt(folder);
    const inTime = await within(patienceMs, look.count, clock);
    if (inTime !== "late") return { branch, changed: inTime };
    const isYoung = clock.monotonic() - look.known.at < youngMs;
    return { branch, changed: isYoung ? look.known.count : undefined };
  };
}

function within(ms: number, count: Promise<Count>, clock: Clock): Promise<Count | "late"> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve("late"));
    void count.then((found) => {
      timer.cancel();
      resolve(found);
    });
  });
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // a folder that is gone has no branch
  }
}
