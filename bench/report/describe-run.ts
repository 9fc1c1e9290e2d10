/** Under what a run was made: figures without it mean nothing. */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";

export type RunTerms = {
  readonly command: string;
  readonly at: string;
  readonly commit: string;
  readonly node: string;
  readonly cores: string;
};

export function describeRun(root: string, args: readonly string[]): RunTerms {
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", "src", "bin", "package-lock.json") !== "";
  return {
    command: ["npm run bench", ...(args.length === 0 ? [] : ["--", ...args])].join(" "),
    at: new Date().toISOString(),
    commit: `${git("rev-parse", "--short", "HEAD")}${changed ? " with uncommitted changes" : ""}`,
    node: process.version,
    cores: `${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown"}`,
  };
}
