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
