/** Working trees in the states in which a commit is refused, for the agreement of all ways in. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ScratchAgent, ScratchDaemon } from "./scratch-daemon.ts";

const git = (tree: string, ...args: readonly string[]): void =>
  void execFileSync("git", args, { cwd: tree, stdio: "ignore", env: { PATH: process.env.PATH, HOME: tree } });

/** Writes a file that git does not know yet. */
export function changed(tree: string, path: string): string {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), "export const fresh = 1;\n");
  return path;
}

export function detachedTree({ repository, root }: ScratchDaemon): string {
  const tree = join(root, "detached");
  if (!existsSync(tree)) git(repository, "worktree", "add", "--detach", tree);
  return tree;
}

/** A tracked file has lost its lines, which nobody there ever reserved. */
export function emptiedTree({ repository, root }: ScratchDaemon): string {
  const tree = join(root, "emptied");
  if (!existsSync(tree)) git(repository, "worktree", "add", "-b", "emptied", tree);
  writeFileSync(join(tree, "README.md"), "");
  return tree;
}

/** The repository's own pre-commit hook stops everything. */
export function stopByHook({ agent: { tree } }: ScratchAgent): string {
  const hook = join(tree, ".git", "hooks", "pre-commit");
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho 'not today' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  return changed(tree, "stopped.ts");
}

/** The README of the tree and that of the branch "torn-other" were both changed and committed. */
export function tornTree({ repository, root }: ScratchDaemon): string {
  return withOther(repository, root, "torn", (tree) => {
    writeFileSync(join(tree, "README.md"), "# Ours\n");
    git(tree, ...author, "commit", "-qam", "ours");
  });
}

/** The README of the tree was changed and not committed; the branch "blocked-other" has another. */
export function blockedTree({ repository, root }: ScratchDaemon): string {
  return withOther(repository, root, "blocked", (tree) => writeFileSync(join(tree, "README.md"), "# Not committed\n"));
}

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@sylk.invalid"] as const;

function withOther(repository: string, root: string, name: string, then: (tree: string) => void): string {
  const tree = join(root, name);
  if (existsSync(tree)) return tree;
  git(repository, "worktree", "add", "-b", `${name}-other`, tree);
  writeFileSync(join(tree, "README.md"), "# Theirs\n");
  git(tree, ...author, "commit", "-qam", "theirs");
  git(tree, "switch", "-qc", name, "HEAD~1");
  then(tree);
  return tree;
}
