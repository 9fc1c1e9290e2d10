/**
 * The commit gate in a repository's hooks. One that is there already is moved aside and runs after ours; hooks are shared
 * by all worktrees, and stand where `core.hooksPath` says.
 *
 *   pre-commit             asked with what is staged; `git commit --no-verify` skips it
 *   reference-transaction  asked as the branch moves to a commit that pre-commit did not let through
 *   post-commit            tells whom the commit concerns; stops nothing
 */
import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
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

/** Undefined outside of a repository, and without git. */
export function gitPlaces(cwd: string): GitPlaces | undefined {
  try {
    const ask = (...args: string[]): string =>
      execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trimEnd();
    const tree = ask("rev-parse", "--show-toplevel");
    const at = (name: string): string => resolve(cwd, ask("rev-parse", "--git-path", name));
    return {
      tree,
      exclude: at("info/exclude"),
      preCommit: hooksAreShared(ask) ? undefined : resolve(at("hooks"), "pre-commit"),
    };
  } catch {
    return undefined;
  }
}

function hooksAreShared(ask: (...args: string[]) => string): boolean {
  try {
    return /^(global|system)\s/.test(ask("config", "--show-scope", "--get", "core.hooksPath"));
  } catch {
    return false; // not set
  }
}

export function isIgnored(file: string, tree: string): boolean {
  return succeeds(["check-ignore", "--quiet", "--", file], tree);
}

export function isTracked(file: string, tree: string): boolean {
  return succeeds(["ls-files", "--error-unmatch", "--", file], tree);
}

function succeeds(args: readonly string[], cwd: string): boolean {
  try {
    execFileSync("git", args, { cwd, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
