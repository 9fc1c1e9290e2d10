/**
 * The commit gate in a repository's pre-commit hook. A hook that is there already is moved aside and runs after ours; hooks
 * are shared by all worktrees, and stand where `core.hooksPath` says.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const begin = '# >>> sylk: commit gate ("sylk uninstall" removes it)';
const end = "# <<< sylk";
export const movedSuffix = ".before-sylk";

export function gateHook(launch: string): string {
  return `#!/bin/sh
${begin}
${launch} git pre-commit || exit 1
before="\${0%/*}/pre-commit${movedSuffix}"
[ ! -x "$before" ] || "$before" "$@" || exit $?
${end}
`;
}

export function hasGate(text: string): boolean {
  return text.includes(begin);
}

/** What somebody added to it since; empty when that is nothing. */
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
