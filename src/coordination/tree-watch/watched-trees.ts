/** Holds -> what has to be watched for them. Files without a holder need no watch, and cost nothing. */
import type { ReservationRecord } from "../reservations/index.ts";
import type { WatchedTree } from "./ports.ts";

type Held = Pick<ReservationRecord, "tree" | "paths" | "patterns">;

/** The folder above everything that a glob may match. */
const special = /[*?[\]{}\\]/;

export function watchedTrees(holds: readonly Held[]): readonly WatchedTree[] {
  const trees = new Map<string, { paths: Set<string>; folders: Set<string> }>();
  for (const { tree, paths, patterns } of holds) {
    const watched = trees.get(tree) ?? { paths: new Set(), folders: new Set() };
    trees.set(tree, watched);
    for (const path of paths) watched.paths.add(path);
    for (const pattern of patterns) watched.folders.add(folderOf(pattern));
  }
  return [...trees].map(([tree, { paths, folders }]) => ({ tree, paths: [...paths], folders: [...folders] }));
}

function folderOf(pattern: string): string {
  const segments = pattern.split("/");
  const first = segments.findIndex((segment) => special.test(segment));
  return segments.slice(0, first === -1 ? -1 : first).join("/");
}
