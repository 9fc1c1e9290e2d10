/**
 * What git knows about a tree: which content each path has, what differs from it on the disk, and at which commit it is.
 *
 *   git ls-files --stage -t    path -> blob, mode, whether it is checked out
 *   git status --porcelain=v2  commit, branch, changed and new paths; ignored ones are not listed
 *
 * Reads only: GIT_OPTIONAL_LOCKS=0 comes with the port, fsmonitor is off.
 */
import type { IndexGit } from "./ports.ts";

export type ListedFile =
  /** git's own hash of it; undefined where the disk has to be asked. */
  { readonly kind: "file"; readonly hash: string | undefined } | { readonly kind: "left-out"; readonly reason: string };

export type ListedTree = {
  readonly commit: string | null;
  readonly branch: string | undefined;
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Paths that differ from the commit. */
  readonly uncommitted: ReadonlySet<string>;
};

const quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--literal-pathspecs"] as const;
const leftOutModes: Readonly<Record<string, string>> = {
  "120000": "a symbolic link; links are not followed",
  "160000": "a submodule; ask in its own folder",
};

/** Only these paths, where some are named. */
export async function listTree(git: IndexGit, tree: string, paths: readonly string[] = []): Promise<ListedTree> {
  const behind = paths.length === 0 ? [] : ["--", ...paths];
  const status = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const [staged, changed] = await Promise.all([
    git(tree, [...quiet, "ls-files", "--stage", "-t", "-z", "--full-name", ...behind]),
    git(tree, [...quiet, ...status, "--ignore-submodules=all", ...behind]),
  ]);
  const files = readStaged(staged);
  return { ...readStatus(changed, files), files };
}

/** `H 100644 <hash> 0\t<path>`; a path in conflict has several stages. */
function readStaged(text: string): Map<string, ListedFile> {
  const files = new Map<string, ListedFile>();
  for (const entry of text.split("\0")) {
    const tab = entry.indexOf("\t");
    if (tab === -1) continue;
    const [tag = "", mode = "", hash = "", stage = ""] = entry.slice(0, tab).split(" ");
    const path = entry.slice(tab + 1);
    const reason = unreadableName(path) ?? leftOutModes[mode] ?? (tag === "S" ? "not checked out (sparse)" : undefined);
    if (reason !== undefined) files.set(path, { kind: "left-out", reason });
    else files.set(path, { kind: "file", hash: stage === "0" ? hash : undefined });
  }
  return files;
}

/** Adds to the files what git's index does not have, and takes away what is not there any more. */
function readStatus(text: string, files: Map<string, ListedFile>): Omit<ListedTree, "files"> {
  let commit: string | null = null;
  let branch: string | undefined;
  const uncommitted = new Set<string>();
  for (const entry of text.split("\0")) {
    if (entry.startsWith("# branch.oid ")) commit = entry.endsWith("(initial)") ? null : entry.slice(13);
    else if (entry.startsWith("# branch.head ")) branch = entry.endsWith("(detached)") ? undefined : entry.slice(14);
    else readChange(entry, files, uncommitted);
  }
  return { commit, branch, uncommitted };
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function readChange(entry: string, files: Map<string, ListedFile>, uncommitted: Set<string>): void {
  const kind = entry[0];
  if (kind === "?") {
    const path = entry.slice(2);
    uncommitted.add(path.replace(/\/$/, ""));
    files.set(path.replace(/\/$/, ""), untracked(path));
    return;
  }
  if (kind !== "1" && kind !== "u") return;
  const path = entry
    .split(" ")
    .slice(kind === "1" ? 8 : 10)
    .join(" ");
  uncommitted.add(path);
  const onDisk = kind === "u" ? "M" : entry[3];
  if (onDisk === "D") files.delete(path);
  else if (onDisk === "T" || (onDisk !== "." && files.get(path)?.kind !== "left-out")) files.set(path, untracked(path));
}

function untracked(path: string): ListedFile {
  const reason =
    unreadableName(path) ?? (path.endsWith("/") ? "a repository of its own; ask in its folder" : undefined);
  return reason === undefined ? { kind: "file", hash: undefined } : { kind: "left-out", reason };
}

/** git prints bytes; what is not UTF-8 came here with replacement characters and cannot be opened by that name. */
function unreadableName(path: string): string | undefined {
  return path.includes("\ufffd") ? "its name is not UTF-8" : undefined;
}
