/** Holds and guarded trees -> what has to be watched. A tree without a live agent needs no watch, and costs nothing. */
import type { ReservationRecord } from "../reservations/index.ts";
import type { WatchedTree } from "./ports.ts";

type Held = Pick<ReservationRecord, "tree" | "paths" | "patterns">;

/** The folder above everything that a glob may match. */
const special = /[*?[\]{}\\]/;

/** `whole`: trees whose files are all watched. */
export function watchedTrees(holds: readonly Held[], whole: readonly string[] = []): readonly WatchedTree[] {
  const trees = new Map<string, { paths: Set<string>; folders: Set<string> }>();
  const watchedIn = (tree: string) => {
    const watched = trees.get(tree) ?? { paths: new Set(), folders: new Set() };
    trees.set(tree, watched);
    return watched;
  };
  for (const { tree, paths, patterns } of holds) {
    for (const path of paths) watchedIn(tree).paths.add(path);
    for (const pattern of patterns) watchedIn(tree).folders.add(folderOf(pattern));
  }
  for (const tree of whole) watchedIn(tree).folders = new Set([""]);
  return [...trees].map(([tree, { paths, folders }]) => ({ tree, paths: [...paths], folders: [...folders] }));
}

function folderOf(pattern: string): string {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => special.test(segment));
  return segments.slice(0, first === -1 ? -1 : first).join("/");
}
