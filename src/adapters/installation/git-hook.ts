/**
 * The commit gate in a repository's hooks. One that is there already is moved aside and runs after ours; hooks are shared
 * by all worktrees, and stand where `core.hooksPath` says.
 *
 *   pre-commit             asked with what is staged; `git commit --no-verify` skips it
 *   reference-transaction  asked as the branch moves to a commit that pre-commit did not let through
 *   post-commit            tells whom the commit concerns; stops nothing
 */
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { fillShippedFile } from "../../platform/shipped-files.ts";

const begin = '# >>> sylk: commit gate ("sylk uninstall" removes it)';
const end = "# <<< sylk";
export const movedSuffix = ".before-sylk";

/** Text of a hook (`<name>.sh`). $PPID is the git that runs all of them: so the second knows what the first let through. */
export function gateHook(name: string, launch: string): string {
  return fillShippedFile(`adapters/installation/${name}.sh`, {
    BEGIN: begin,
    END: end,
    LAUNCH: launch,
    MOVED: movedSuffix,
  });
}

/** The pre-commit hook and those beside it. */
export function gateHooksOf(preCommit: string): readonly string[] {
  return [preCommit, ...["reference-transaction", "post-commit"].map((name) => join(dirname(preCommit), name))];
}

export function hasGate(text: string): boolean {
  return text.includes(begin);
}

/** What the user added to it since; empty when that is nothing. */
export function withoutGate(text: string): string {
  const [before = "", rest = ""] = text.split(`${begin}\n`);
  const after = rest.split(`${end}\n`).at(-1) ?? "";
  return `${before}${after}`.replace(/^#!\/bin\/sh\s*$/, "");
}

export type GitPlaces = {
  readonly tree: string;
  readonly exclude: string;
  /** Undefined where the hooks of all repositories are one folder: the gate would stand in all of them. */
  readonly preCommit: string | undefined;
};

/** Undefined outside of a repository. A git that is absent or refuses to look is an error: it says nothing about the folder. */
export function gitPlaces(cwd: string): GitPlaces | undefined {
  const tree = ask(cwd, "rev-parse", "--show-toplevel");
  if (tree === undefined) return undefined;
  const at = (name: string): string => resolve(cwd, ask(cwd, "rev-parse", "--git-path", name)!);
  const whoseHooks = ask(cwd, "config", "--show-scope", "--get", "core.hooksPath") ?? "";
  return {
    tree,
    exclude: at("info/exclude"),
    preCommit: /^(global|system)\s/.test(whoseHooks) ? undefined : resolve(at("hooks"), "pre-commit"),
  };
}

export function isIgnored(file: string, tree: string): boolean {
  return ask(tree, "check-ignore", "--quiet", "--", file) !== undefined;
}

export function isTracked(file: string, tree: string): boolean {
  return ask(tree, "ls-files", "--error-unmatch", "--", file) !== undefined;
}

/** Undefined where git's answer is no: status 1, no repository, or a file behind a link, which git neither has nor ignores. */
function ask(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync("git", args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  if (status === 0) return stdout.trimEnd();
  if (status === 1 || /not a git repository|must be run in a work tree|beyond a symbolic link/.test(stderr ?? ""))
    return undefined;
  const isAbsent = (error as { code?: string } | undefined)?.code === "ENOENT";
  throw new DomainError(
    "workspace.unavailable",
    isAbsent
      ? "git is not installed or not on the PATH, so the commit gate cannot be looked at; install git, then try again"
      : `git does not look at ${cwd}: ${(stderr || String(error)).trim()}`,
    { details: { tree: cwd }, cause: error },
  );
}
