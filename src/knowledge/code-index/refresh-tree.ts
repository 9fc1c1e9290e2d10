/**
 * Brings a tree's overlay up to what git and the disk say now.
 *
 *   never listed, git's state changed, folders came or went, no watcher -> the whole tree
 *   single files changed                                                -> those paths
 *   nothing changed                                                     -> nothing
 *
 * Contents are named here, not read: new ones wait (index-contents.ts).
 */
import { blobHash, type HashKind, variantOf } from "./blob-hash.ts";
import { type ListedTree, listTree } from "./list-tree.ts";
import type { IndexFile } from "./open-index-file.ts";
import type { IndexGit } from "./ports.ts";
import { readDisk } from "./read-disk.ts";
import { gitKey, type TreePlace } from "./tree-place.ts";

export type TreeState = {
  readonly place: TreePlace;
  id: number;
  /** What the overlay says: path to the hash and variant of its content, or the reason why it is left out. */
  readonly known: Map<string, string>;
  commit: string | null;
  branch: string | undefined;
  uncommitted: Set<string>;
  /** git's state at the last whole listing; undefined before the first. */
  key: string | undefined;
  /** Paths that changed since, or everything. */
  dirty: Set<string> | "all";
  isWatched: boolean;
};

/** A file of a tree that was listed before, and how it differs since. */
export type FileChange = { readonly path: string; readonly kind: "created" | "changed" | "deleted" };

export type RefreshPorts = {
  readonly git: IndexGit;
  /** Told after the overlay has them, before the question that found them is answered; not of a tree's first listing. */
  readonly onChanged?: (tree: string, changes: readonly FileChange[]) => void;
  readonly maxFileBytes: number;
  /** Lets queries in between. */
  readonly pause: () => Promise<void>;
};

/** More paths than this are listed as quickly all at once. */
const mostPaths = 200;
const perTransaction = 500;
/** Files that decide about other files. */
const rules = /(?:^|\/)\.git(?:ignore|attributes|modules)$/;

export function newTreeState(place: TreePlace, file: IndexFile): TreeState {
  const id = file.trees.open(place.tree);
  const known = new Map<string, string>();
  for (const [path, { hash, variant }] of file.trees.files(id)) known.set(path, fileKey(hash, variant));
  for (const { path, reason } of file.trees.skipped(id)) known.set(path, skipKey(reason));
  const unknown = { commit: null, branch: undefined, uncommitted: new Set<string>(), key: undefined };
  return { place, id, known, ...unknown, dirty: "all", isWatched: false };
}

/** True when something changed. */
export async function refreshTree(state: TreeState, file: IndexFile, ports: RefreshPorts): Promise<boolean> {
  const key = gitKey(state.place, state.branch);
  const { dirty } = state;
  const isWhole =
    !state.isWatched ||
    key !== state.key ||
    dirty === "all" ||
    dirty.size > mostPaths ||
    [...dirty].some((path) => rules.test(path));
  if (!isWhole && dirty.size === 0) return false;
  const paths = isWhole ? [] : [...dirty];
  state.dirty = new Set();
  try {
    const listed = await listTree(ports.git, state.place.tree, paths);
    const hasChanged = await applyListing(state, listed, paths, file, ports);
    takeOver(state, listed, paths);
    // Taken before the listing: whatever git changes meanwhile is listed the next time.
    if (isWhole) state.key = key;
    return hasChanged;
  } catch (error) {
    state.dirty = "all";
    throw error;
  }
}

function takeOver(state: TreeState, listed: ListedTree, paths: readonly string[]): void {
  state.commit = listed.commit;
  state.branch = listed.branch;
  if (paths.length === 0) state.uncommitted = new Set(listed.uncommitted);
  else {
    const isAmong = amongPaths(paths);
    for (const path of state.uncommitted) if (isAmong(path)) state.uncommitted.delete(path);
    for (const path of listed.uncommitted) state.uncommitted.add(path);
  }
}

type Change =
  | { readonly path: string; readonly to: "content"; readonly hash: string; readonly variant: string }
  | { readonly path: string; readonly to: "left-out"; readonly reason: string }
  | { readonly path: string; readonly to: "gone" };

async function applyListing(
  state: TreeState,
  listed: ListedTree,
  paths: readonly string[],
  file: IndexFile,
  ports: RefreshPorts,
): Promise<boolean> {
  const changes = await changesOf(state, listed, paths, ports);
  const told = state.key === undefined ? [] : changes.map((change) => kindOf(change, state.known));
  for (let from = 0; from < changes.length; from += perTransaction) {
    const part = changes.slice(from, from + perTransaction);
    file.sql.transact(() => part.forEach((change) => write(state.id, change, file)));
    for (const change of part) {
      if (change.to === "gone") state.known.delete(change.path);
      else
        state.known.set(
          change.path,
          change.to === "content" ? fileKey(change.hash, change.variant) : skipKey(change.reason),
        );
    }
    await ports.pause();
  }
  if (told.length > 0) ports.onChanged?.(state.place.tree, told);
  return changes.length > 0;
}

function kindOf({ path, to }: Change, known: TreeState["known"]): FileChange {
  return { path, kind: to === "gone" ? "deleted" : known.has(path) ? "changed" : "created" };
}

async function changesOf(
  { place, known }: TreeState,
  listed: ListedTree,
  paths: readonly string[],
  { maxFileBytes }: RefreshPorts,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const present = new Set<string>();
  for (const [path, one] of listed.files) {
    const now =
      one.kind === "left-out" || one.hash !== undefined
        ? one
        : await onDisk(place.tree, path, maxFileBytes, place.hashKind);
    if (now === undefined) continue;
    present.add(path);
    if (now.kind === "left-out") {
      if (known.get(path) !== skipKey(now.reason)) changes.push({ path, to: "left-out", reason: now.reason });
      continue;
    }
    const variant = variantOf(path);
    if (known.get(path) !== fileKey(now.hash!, variant))
      changes.push({ path, to: "content", hash: now.hash!, variant });
  }
  const isAmong = paths.length === 0 ? () => true : amongPaths(paths);
  for (const path of known.keys()) if (!present.has(path) && isAmong(path)) changes.push({ path, to: "gone" });
  return changes;
}

async function onDisk(tree: string, path: string, maxBytes: number, kind: HashKind) {
  const found = await readDisk(tree, path, maxBytes);
  if (found.state === "gone") return undefined;
  if (found.state === "left-out") return { kind: "left-out", reason: found.reason } as const;
  return { kind: "file", hash: blobHash(found.bytes, kind) } as const;
}

function write(tree: number, change: Change, { trees, contents }: IndexFile): void {
  if (change.to === "gone") trees.remove(tree, change.path);
  else if (change.to === "left-out") trees.skip(tree, change.path, change.reason);
  else trees.set(tree, change.path, contents.idOf(change));
}

function amongPaths(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set(paths);
  const folders = paths.map((path) => `${path}/`);
  return (path) => exact.has(path) || folders.some((folder) => path.startsWith(folder));
}

function fileKey(hash: string, variant: string): string {
  return `${hash} ${variant}`;
}

function skipKey(reason: string): string {
  return `-${reason}`;
}
