/** What differs from a revision in the working tree, committed or not, and in which commit a change was made. Reads only. */
import { posix } from "node:path";
import { invalidInput } from "../../contract/index.ts";
import { compareSymbols } from "./compare-symbols.ts";
import type { IndexGit, Parser } from "./ports.ts";
import type { DriftChange } from "./score-drift.ts";

export type FileChange = {
  readonly path: string;
  /** Of its content at the revision; undefined where it was not a file then. */
  readonly hash: string | undefined;
  readonly isGone: boolean;
};
type Compared = { readonly base: string | null; readonly changed: readonly FileChange[]; readonly tree: string };

const quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--literal-pathspecs"] as const;
const workingTree = "the working tree";
const mostLookups = 100;

/** Null before the first commit. */
export async function baseCommit(since: string, tree: string, git: IndexGit): Promise<string | null> {
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${since}^{commit}`];
  try {
    return (await git(tree, asked)).trim();
  } catch (cause) {
    if (since === "HEAD") {
      await git(tree, ["rev-parse", "--git-dir"]); // a git that answers nothing does not say that there is no commit
      return null;
    }
    const message = `git knows no commit "${since}" here; "git log --oneline" lists commits, and a shallow clone may lack it ("git fetch --unshallow")`;
    throw invalidInput("since", message, { cause });
  }
}

/**
 * `:100644 100644 <before> <after> M\0path\0`, tracked files alone: a new file removes nothing. Without its refresh git
 * leaves its own index as it is, and lists also files that were only touched.
 */
export async function changesSince(commit: string, tree: string, git: IndexGit): Promise<readonly FileChange[]> {
  const raw = ["diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--ignore-submodules=all"];
  const fields = (await git(tree, [...quiet, "-c", "diff.autoRefreshIndex=false", ...raw, commit, "--"])).split("\0");
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , hash = "", , status = ""] = fields[at]!.split(" ");
    const wasFile = mode === ":100644" || mode === ":100755";
    if (status !== "A")
      changes.push({ path: fields[at + 1]!, hash: wasFile ? hash : undefined, isGone: status === "D" });
  }
  return changes;
}

/** Folders that had files and have none any more. */
export function goneFolders(gone: readonly string[], left: readonly string[]): readonly string[] {
  const foldersOf = (path: string): string[] => {
    const folder = posix.dirname(path);
    return folder === "." ? [] : [folder, ...foldersOf(folder)];
  };
  const alive = new Set(left.flatMap(foldersOf));
  return [...new Set(gone.flatMap(foldersOf))].filter((folder) => !alive.has(folder));
}

/** "commit 1a2b3c4d", "the working tree", or the range where too many are asked for. */
export function whereChanged({ base, changed, tree }: Compared, { git, parser }: { git: IndexGit; parser: Parser }) {
  const known = new Map<DriftChange, string>();
  let head: Promise<{ commit: string; uncommitted: ReadonlyMap<string, FileChange> }> | undefined;
  const readHead = async () => {
    const commit = (await git(tree, ["rev-parse", "HEAD"])).trim();
    const later = commit === base ? changed : await changesSince(commit, tree, git);
    return { commit, uncommitted: new Map(later.map((change) => [change.path, change])) };
  };

  async function find(change: DriftChange): Promise<string> {
    const { commit, uncommitted } = await (head ??= readHead());
    if (commit === base) return workingTree;
    const { path } = change.was;
    const isUncommitted = [...uncommitted.keys()].some((one) => one === path || one.startsWith(`${path}/`));
    if (isUncommitted && !(await wasSoAtHead(change, uncommitted.get(path)))) return workingTree;
    if (known.size >= mostLookups) return `a commit since ${base!.slice(0, 8)}`;
    const log = [...quiet, "log", "-1", "--format=%h", "--abbrev=8", "--no-ext-diff", `${base}..${commit}`];
    const byName = change.kind === "symbol-removed" ? await git(tree, [...log, `-S${change.name}`, "--", path]) : "";
    const found = byName.trim() || (await git(tree, [...log, "--", path])).trim();
    return found === "" ? `a commit since ${base!.slice(0, 8)}` : `commit ${found}`;
  }

  async function wasSoAtHead(change: DriftChange, later: FileChange | undefined): Promise<boolean> {
    if (change.kind === "path-gone" || later?.hash === undefined) return false;
    const { path } = change.was;
    const reply = await parser.parse({ tree, path, hash: later.hash, inGit: true });
    if (reply.state !== "parsed") return false;
    const { name, container, was } = change;
    const before = [{ name, container, line: was.line, signature: was.signature, kind: "function" }];
    const after = reply.content.facts.symbols.filter((one) => one.name === name && one.container === container);
    return compareSymbols([{ path, before, after }], () => false).length > 0;
  }

  return async (change: DriftChange): Promise<string> => {
    const found = known.get(change) ?? (await find(change));
    known.set(change, found);
    return found;
  };
}
