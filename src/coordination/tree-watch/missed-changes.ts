/**
 * Changes of held files that no watch saw: made while Sylk was not running, or before the watch of a new hold began.
 *
 *   hold granted -> its files are read -> watch begins -> changed since, by the inode's time? -> read again
 *     -> another content than the last one known -> judged as what the watch sees
 *
 * The content decides: what the holder's own call left is known. Where contents are not kept, the time decides alone.
 */
import type { ProjectId } from "../../contract/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { matcherOf } from "./covers.ts";
import type { ChangeKeeper, TreeWatcher } from "./ports.ts";
import { watchedTrees } from "./watched-trees.ts";

/** The part of a hold that was not compared yet. */
export type NewHold = Pick<ReservationRecord, "tree" | "project" | "paths" | "patterns"> & {
  /** When the file came under the hold. */
  readonly heldSince: number;
  /** Versions seen up to then were known before. */
  readonly knownUntil: number;
  /** It was granted before this daemon started. */
  readonly isOlder: boolean;
};
export type MissedChange = Pick<NewHold, "knownUntil" | "isOlder" | "heldSince"> & {
  readonly project: ProjectId;
  readonly tree: string;
  readonly path: string;
  /** Undefined: the file is gone. */
  readonly changedAt: number | undefined;
};

/** A file system tells time in steps: a file written right after the grant may carry a time before it. */
export const coarseMs = 10;
const mostFiles = 2_000;

export async function findMissed(
  holds: readonly NewHold[],
  { watcher, kept }: { readonly watcher: TreeWatcher; readonly kept?: ChangeKeeper | undefined },
): Promise<{ readonly missed: readonly MissedChange[]; readonly troubles: readonly string[] }> {
  const found = new Map<string, MissedChange>();
  const troubles: string[] = [];
  const known = new Map<string, readonly string[]>();
  for (const hold of holds) {
    const { tree, paths, patterns, ...since } = hold;
    const [watched] = watchedTrees([hold]);
    if (watched === undefined) continue;
    const isGlob = patterns.length > 0;
    if (isGlob && !known.has(tree)) known.set(tree, (await kept?.known(tree)) ?? []);
    const { changed, isCut } = await watcher.changedSince({
      ...watched,
      // The walk through the folders of a glob cannot find a file that is gone.
      paths: isGlob ? [...paths, ...known.get(tree)!] : paths,
      since: since.heldSince - coarseMs,
      accepts: isGlob ? matcherOf(hold) : () => true,
      most: mostFiles,
    });
    for (const { path, at } of changed) found.set(`${tree}\0${path}`, { ...since, tree, path, changedAt: at });
    if (isCut)
      troubles.push(
        `${tree}: more than ${mostFiles} held files changed before their watch began; the others were not compared`,
      );
  }
  return { missed: [...found.values()], troubles };
}
